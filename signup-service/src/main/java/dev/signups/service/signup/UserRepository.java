package dev.signups.service.signup;

import dev.signups.service.outbox.Outbox;
import dev.signups.service.outbox.OutboxEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code users}. */
@Repository
class UserRepository {

    private static final String UNIQUE_ADDRESS = "users_email_key";
    private static final String INSERT = """
            insert into users (id, email, first_name, last_name, password_hash, created_at)
            values (?, ?, ?, ?, ?, now())
            """;
    private static final String COLUMNS = "select id, email, first_name, last_name, created_at from users ";

    private final JdbcClient jdbc;
    private final Outbox outbox;

    UserRepository(JdbcClient jdbc, Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    /**
     * Commits the user and the event.
     *
     * @return the transaction's time
     * @throws AddressTakenException when another user has the address, in whatever case; nothing is written then
     */
    Instant insert(NewUser user, OutboxEvent event) {
        return insert(() -> outbox.append(event, INSERT + "returning id", columns(user)));
    }

    /** Inserts the user alone, in the caller's transaction if there is one. */
    Instant insert(NewUser user) {
        return insert(() -> jdbc.sql(INSERT + "returning created_at")
                .params(Arrays.asList(columns(user)))
                .query(OffsetDateTime.class)
                .single()
                .toInstant());
    }

    private static Instant insert(Supplier<Instant> statement) {
        try {
            return statement.get();
        } catch (DuplicateKeyException e) {
            String message = e.getMessage();
            if (message != null && message.contains(UNIQUE_ADDRESS)) {
                throw new AddressTakenException();
            }
            throw e;
        }
    }

    private static @Nullable Object[] columns(NewUser user) {
        return new @Nullable Object[] {user.id(), user.email(), user.firstName(), user.lastName(), user.passwordHash()};
    }

    Optional<User> find(UUID id) {
        return jdbc.sql(COLUMNS + "where id = ?")
                .param(id)
                .query(UserRepository::user)
                .optional();
    }

    /** Newest first. */
    List<User> newest(int limit) {
        return jdbc.sql(COLUMNS + "order by id desc limit ?")
                .param(limit)
                .query(UserRepository::user)
                .list();
    }

    /** Newest first, those that came before the given one. */
    List<User> before(UUID id, int limit) {
        return jdbc.sql(COLUMNS + "where id < ? order by id desc limit ?")
                .params(id, limit)
                .query(UserRepository::user)
                .list();
    }

    /** Newest first, those created before the given time. */
    List<User> before(Instant time, int limit) {
        return jdbc.sql(COLUMNS + "where created_at < ? order by id desc limit ?")
                .params(time.atOffset(ZoneOffset.UTC), limit)
                .query(UserRepository::user)
                .list();
    }

    private static User user(ResultSet row, int number) throws SQLException {
        return new User(
                row.getObject("id", UUID.class),
                row.getString("email"),
                row.getString("first_name"),
                row.getString("last_name"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
