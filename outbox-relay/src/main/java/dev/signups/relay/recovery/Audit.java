package dev.signups.relay.recovery;

import dev.signups.relay.change.Lsn;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.SlotState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Compares the outbox's rows with what Kafka holds, while the relay runs. */
public final class Audit {

    private static final Duration CATCH_UP = Duration.ofSeconds(15);
    private static final int LISTED = 1000;

    private final Database database;
    private final PublishProperties properties;

    /**
     * @param database the outbox's
     * @param properties where the topics are
     */
    public Audit(Database database, PublishProperties properties) {
        this.database = database;
        this.properties = properties;
    }

    /**
     * Runs to the end: reads the ids of all rows and of all records of their time.
     *
     * <p>Rows that commit while it runs are left out; those that had just committed are given time to arrive, as seen by
     * the slot.
     */
    public Result run() throws SQLException {
        Instant began = Instant.now();
        try (Connection connection = database.openForScan("outbox-relay audit")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level repeatable read, read only");
            }
            OutboxTable table =
                    new OutboxTable(connection, database.properties().table());
            Instant oldest = table.oldest();
            long written = Lsn.parse(String.valueOf(Database.query(connection, "select pg_current_wal_lsn()")));
            boolean caughtUp = awaitConfirmed(written);
            List<String> topics = table.aggregateTypes().stream()
                    .map(type -> properties.topicPrefix() + type)
                    .toList();
            try (PublishedEvents events = new PublishedEvents(properties, topics, oldest)) {
                long uncomparable = oldest == null
                        ? 0
                        : events.floor().isEmpty()
                                ? 0
                                : table.countOlderThan(events.floor().get());
                Comparison comparison = Comparison.of(table, events);
                connection.rollback();
                return new Result(
                        comparison.rows(),
                        comparison.records(),
                        comparison.missing().size(),
                        comparison.repeated().size(),
                        uncomparable,
                        listed(comparison.missing().stream()),
                        listed(comparison.repeated().stream()),
                        caughtUp,
                        began);
            }
        }
    }

    /** The slot confirms only what is published. */
    private boolean awaitConfirmed(long lsn) throws SQLException {
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        try (Connection connection = database.open("outbox-relay audit")) {
            while (true) {
                SlotState slot =
                        SlotState.read(connection, database.properties().slot());
                if (slot != null && slot.confirmedLsn() >= lsn) {
                    return true;
                }
                if (slot == null || System.nanoTime() > deadline) {
                    return false;
                }
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        }
    }

    private static List<UUID> listed(Stream<UUID> ids) {
        return ids.sorted().limit(LISTED).toList();
    }

    /**
     * What was found.
     *
     * @param rows rows compared
     * @param records records of their time, replays left out and dead letters included
     * @param missing rows that are in no topic
     * @param repeated rows that are more than once in the topics
     * @param uncomparable rows older than what the topics still hold; Kafka's retention removes records
     * @param missingIds the first thousand of them
     * @param repeatedIds the first thousand of them
     * @param caughtUp whether the relay had published, by its own account, all that was there at the start; if not,
     *     rows may be missing because they are on their way
     * @param at when it began
     */
    public record Result(
            long rows,
            long records,
            long missing,
            long repeated,
            long uncomparable,
            List<UUID> missingIds,
            List<UUID> repeatedIds,
            boolean caughtUp,
            Instant at) {

        /** Whether every row is in Kafka once. */
        public boolean isClean() {
            return missing == 0 && repeated == 0;
        }
    }
}
