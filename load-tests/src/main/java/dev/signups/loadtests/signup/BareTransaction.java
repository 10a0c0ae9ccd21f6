package dev.signups.loadtests.signup;

import dev.signups.loadtests.Pipeline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The peer of a signup: nothing but a transaction of two inserts, into tables like the service's, on the same server with
 * the same durability and as many connections as the service uses for signups. No HTTP, no checks, no framework.
 */
final class BareTransaction implements OpenLoad.Request, AutoCloseable {

    /** {@code signup.outbox.concurrency}'s default. */
    private static final int CONNECTIONS = 12;

    private static final int CREATED = 201;

    private record Session(Connection connection, PreparedStatement user, PreparedStatement event) {}

    private final BlockingQueue<Session> pool = new ArrayBlockingQueue<>(CONNECTIONS);

    BareTransaction(Pipeline pipeline) throws SQLException {
        try (Connection connection = pipeline.connect("signup");
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create schema bare;
                    create table bare.users (like public.users including all);
                    create table bare.outbox (like public.outbox including all)""");
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = pipeline.connect("signup");
            connection.setAutoCommit(false);
            pool.add(new Session(
                    connection,
                    connection.prepareStatement(
                            "insert into bare.users (id, email, first_name, last_name) values (?, ?, 'Ada', 'Lovelace')"),
                    connection.prepareStatement(
                            "insert into bare.outbox (id, aggregatetype, aggregateid, type, payload, traceparent)"
                                    + " values (?, 'user', ?, 'UserSignedUp', cast(? as json), ?)")));
        }
    }

    @Override
    public int send(int number) throws SQLException, InterruptedException {
        UUID id = UUID.randomUUID();
        String email = id + "@example.org";
        Session session = pool.take();
        try {
            session.user().setObject(1, id);
            session.user().setString(2, email);
            session.user().executeUpdate();
            session.event().setObject(1, UUID.randomUUID());
            session.event().setString(2, id.toString());
            session.event().setString(3, """
                    {"userId":"%s","email":"%s","firstName":"Ada","lastName":"Lovelace"}""".formatted(id, email));
            session.event().setString(4, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
            session.event().executeUpdate();
            session.connection().commit();
            return CREATED;
        } finally {
            pool.add(session);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Session session : pool) {
            session.connection().close();
        }
    }
}
