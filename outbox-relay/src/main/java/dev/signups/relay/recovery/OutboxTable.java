package dev.signups.relay.recovery;

import dev.signups.relay.change.OutboxRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox table as a reader sees it, in one transaction and so in one snapshot. */
final class OutboxTable {

    private static final int FETCH = 500;
    /** PostgreSQL's infinities are no times to anybody else. */
    private static final String TIME = "case when isfinite(created_at) then created_at end";

    private static final String COLUMNS =
            "id::text, aggregatetype, aggregateid, type, payload::text, traceparent, " + OutboxTable.TIME;

    private final Connection connection;
    private final String table;

    /**
     * @param connection not in auto-commit mode
     * @param table {@code schema.table}
     */
    OutboxTable(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /** Takes what is handed to it; may throw. */
    interface RowConsumer<T> {
        void accept(T row) throws SQLException, InterruptedException;
    }

    List<String> aggregateTypes() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select distinct aggregatetype from " + table + " where aggregatetype is not null")) {
            List<String> types = new ArrayList<>();
            while (rows.next()) {
                types.add(rows.getString(1));
            }
            return types;
        }
    }

    /** When the oldest row was written; the epoch where no row has a time, null for an empty table. */
    @Nullable Instant oldest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select coalesce(min(" + TIME
                        + "), to_timestamp(0)), count(*) > 0 from " + "(select created_at from " + table + ") t")) {
            return row.next() && row.getBoolean(2) ? instant(row, 1) : null;
        }
    }

    long countOlderThan(Instant time) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select count(*) from " + table + " where created_at < ?")) {
            statement.setObject(1, time.atOffset(ZoneOffset.UTC));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /** Ids in order of writing. The statement must be closed by the caller. */
    IdCursor ids() throws SQLException {
        return new IdCursor(statement("select id, " + TIME + " from " + table + " order by created_at, id"));
    }

    /** Which of these ids the table has. */
    Set<UUID> present(List<UUID> ids) throws SQLException {
        Set<UUID> present = new HashSet<>();
        for (int from = 0; from < ids.size(); from += 1000) {
            List<UUID> some = ids.subList(from, Math.min(ids.size(), from + 1000));
            try (PreparedStatement statement =
                    connection.prepareStatement("select id from " + table + " where id = any(?)")) {
                statement.setArray(1, connection.createArrayOf("uuid", some.toArray()));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        present.add(rows.getObject(1, UUID.class));
                    }
                }
            }
        }
        return present;
    }

    /**
     * Whole rows in order of writing: by time, which is that of the transaction's start, then by command within the
     * transaction, then by place, which is the order within one command.
     */
    void rows(String where, List<Object> parameters, RowConsumer<OutboxRow> consumer)
            throws SQLException, InterruptedException {
        try (PreparedStatement statement = statement("select " + COLUMNS + " from " + table + " where " + where
                + " order by created_at, cmin::text::bigint, ctid")) {
            for (int i = 0; i < parameters.size(); i++) {
                Object value = parameters.get(i);
                if (value instanceof Instant instant) {
                    statement.setObject(i + 1, instant.atOffset(ZoneOffset.UTC));
                } else if (value instanceof UUID[] ids) {
                    statement.setArray(i + 1, connection.createArrayOf("uuid", ids));
                } else {
                    statement.setObject(i + 1, value);
                }
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    consumer.accept(new OutboxRow(
                            rows.getString(1),
                            rows.getString(2),
                            rows.getString(3),
                            rows.getString(4),
                            rows.getString(5),
                            rows.getString(6),
                            instant(rows, 7)));
                }
            }
        }
    }

    private PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setFetchSize(FETCH);
        return statement;
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    /** Walks over the ids. */
    static final class IdCursor implements AutoCloseable {

        private final PreparedStatement statement;
        private final ResultSet rows;

        IdCursor(PreparedStatement statement) throws SQLException {
            this.statement = statement;
            this.rows = statement.executeQuery();
        }

        boolean next() throws SQLException {
            return rows.next();
        }

        UUID id() throws SQLException {
            return rows.getObject(1, UUID.class);
        }

        long createdAtMillis() throws SQLException {
            Instant createdAt = instant(rows, 2);
            return createdAt == null ? 0 : createdAt.toEpochMilli();
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
