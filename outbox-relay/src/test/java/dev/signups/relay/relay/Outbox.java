package dev.signups.relay.relay;

import dev.signups.localstack.Postgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A test's own outbox: a database with the table, publication and grants that signup-service's migration makes. */
final class Outbox {

    static final String TABLE = """
            create table outbox (
              id uuid primary key,
              aggregatetype text,
              aggregateid text,
              type text,
              payload json,
              traceparent text,
              created_at timestamptz not null default now())""";

    private final Postgres postgres;
    private final String database;
    private final String slot;

    private Outbox(Postgres postgres, String database) {
        this.postgres = postgres;
        this.database = database;
        this.slot = database + "_slot";
    }

    static Outbox create(Postgres postgres) {
        return create(postgres, TABLE);
    }

    static Outbox create(Postgres postgres, String table) {
        Outbox outbox = new Outbox(postgres, postgres.createDatabase("signup"));
        outbox.asOwner(table);
        outbox.asOwner("grant select on outbox to relay");
        outbox.createPublication();
        return outbox;
    }

    /** The same outbox on another server: a standby of the first. */
    Outbox at(Postgres standby) {
        return new Outbox(standby, database);
    }

    void createPublication() {
        asOwner(
                "create publication outbox for table outbox with (publish = 'insert', publish_via_partition_root = true)");
    }

    String database() {
        return database;
    }

    String slot() {
        return slot;
    }

    Postgres postgres() {
        return postgres;
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    Connection connect() throws SQLException {
        return postgres.connect(database, "signup");
    }

    void asOwner(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    void asSuperuser(String sql) {
        postgres.execute(database, sql);
    }

    String query(String sql) {
        return String.valueOf(postgres.query(database, sql));
    }

    /** One transaction of rows with these keys, in order; the payload says which. */
    List<UUID> insert(String... keys) {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            List<UUID> ids = new ArrayList<>();
            for (String key : keys) {
                ids.add(insert(connection, "user", key, "{\"key\":\"" + key + "\"}"));
            }
            connection.commit();
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static UUID insert(Connection connection, String aggregateType, String key, String payload) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into outbox(id, aggregatetype, aggregateid, type, payload)
                values (?, ?, ?, 'UserSignedUp', ?::json)""")) {
            statement.setObject(1, id);
            statement.setString(2, aggregateType);
            statement.setString(3, key);
            statement.setString(4, payload);
            statement.executeUpdate();
        }
        return id;
    }

    UUID insertEvent(String aggregateType, String key, String payload) {
        try (Connection connection = connect()) {
            return insert(connection, aggregateType, key, payload);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** COPY with explicit values in every column: the server then writes many rows under one place of the log. */
    List<UUID> copy(int rows, String key) {
        List<UUID> ids = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            UUID id = UUID.randomUUID();
            ids.add(id);
            lines.append(id)
                    .append("\tuser\t")
                    .append(key)
                    .append("\tUserSignedUp\t{\"n\":")
                    .append(i)
                    .append("}\t\\N\t" + java.time.Instant.now() + "\n");
        }
        try (Connection connection = connect()) {
            connection
                    .unwrap(org.postgresql.PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "copy outbox from stdin",
                            new java.io.ByteArrayInputStream(lines.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (SQLException | java.io.IOException e) {
            throw new IllegalStateException(e);
        }
        return ids;
    }

    /** One transaction of so many rows, made by the server. */
    void insertMany(int rows) {
        asOwner("insert into outbox(id, aggregatetype, aggregateid, type, payload) select gen_random_uuid(), 'user',"
                + " (i % 100)::text, 'UserSignedUp', json_build_object('n', i) from generate_series(1, " + rows
                + ") i");
    }
}
