package dev.signups.relay.recovery;

import dev.signups.relay.change.Change.Row;
import dev.signups.relay.change.OutboxRow;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.publish.PublishedPosition;
import dev.signups.relay.publish.TransactionalPublisher;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.Slots;
import dev.signups.relay.slot.StartupCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a gap between the published position and the log: makes a new slot, and publishes exactly the rows that are in
 * the table at the slot's first place in the log and not in Kafka.
 *
 * <p>What commits later is in the log. A crash on the way leaves a position that fits no cluster, so that the next start
 * does it again; what was published by then is found in Kafka. Rows come in order of {@code created_at}, the order of
 * their commits being lost with the old slot.
 */
public final class GapRecovery {

    private static final Logger log = LoggerFactory.getLogger(GapRecovery.class);
    private static final int BATCH_ROWS = 1000;
    private static final long BATCH_WEIGHT = 8L << 20;

    /** What to do about rows that are older than what the topics still hold. */
    public enum OlderRows {
        /** Stop and say so. */
        REFUSE,
        /** Publish them, perhaps again. */
        PUBLISH,
        /** Take them for published. */
        SKIP
    }

    private final Database database;
    private final PublishProperties properties;
    private final OlderRows olderRows;

    /**
     * @param database the outbox's
     * @param properties where the topics are
     * @param olderRows what to do about rows that cannot be compared
     */
    public GapRecovery(Database database, PublishProperties properties, OlderRows olderRows) {
        this.database = database;
        this.properties = properties;
        this.olderRows = olderRows;
    }

    /**
     * Runs to the end.
     *
     * @param publisher open
     * @param stored the position it read, null for none
     * @param retry asked before another try
     * @return the new position, stored
     * @throws IllegalStateException if rows are older than what the topics hold, and what to do about them is not set
     */
    public PublishedPosition run(
            TransactionalPublisher publisher,
            @Nullable PublishedPosition stored,
            TransactionalPublisher.RetryGate retry)
            throws SQLException, InterruptedException {
        try (Slots.NewSlot slot = Slots.recreate(database);
                Connection connection = database.openForScan("outbox-relay recovery")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level repeatable read, read only");
                statement.execute("set transaction snapshot '" + slot.snapshot() + "'");
            }
            OutboxTable table =
                    new OutboxTable(connection, database.properties().table());
            Selection selection = select(table);
            Progress progress = new Progress(publisher, stored, retry);
            List<Object> parameters = new ArrayList<>();
            if (selection.since != null) {
                parameters.add(selection.since);
            }
            table.rows(selection.since == null ? "true" : "created_at >= ?", parameters, row -> {
                if (selection.missing == null || selection.missing.contains(UUID.fromString(row.id()))) {
                    progress.add(row);
                }
            });
            PublishedPosition position = new PublishedPosition(
                    String.valueOf(Database.query(connection, "select system_identifier from pg_control_system()")),
                    slot.start(),
                    0,
                    0,
                    slot.start(),
                    StartupCheck.fingerprint(connection, database.properties().publication()));
            progress.finish(position);
            connection.rollback();
            log.atInfo().addKeyValue("published", progress.total).log("gap closed by comparison");
            return position;
        }
    }

    private Selection select(OutboxTable table) throws SQLException {
        Instant oldest = table.oldest();
        if (oldest == null) {
            return new Selection(java.util.Set.of(), null);
        }
        List<String> topics = table.aggregateTypes().stream()
                .map(type -> properties.topicPrefix() + type)
                .toList();
        try (PublishedEvents events = new PublishedEvents(properties, topics, oldest)) {
            Optional<Instant> floor = events.floor();
            Instant since = null;
            if (floor.isPresent()) {
                long older = table.countOlderThan(floor.get());
                if (older > 0) {
                    since = older(floor.get(), older);
                }
            }
            if (events.isEmpty()) {
                return new Selection(null, since);
            }
            Comparison comparison = Comparison.of(table, events);
            log.atInfo()
                    .addKeyValue("rows", comparison.rows())
                    .addKeyValue("records", comparison.records())
                    .addKeyValue("missing", comparison.missing().size())
                    .log("outbox compared with Kafka");
            return new Selection(comparison.missing(), since);
        }
    }

    private @Nullable Instant older(Instant floor, long count) {
        return switch (olderRows) {
            case PUBLISH -> null;
            case SKIP -> {
                log.atWarn().addKeyValue("rows", count).log("rows older than the topics' records taken for published");
                yield floor;
            }
            case REFUSE ->
                throw new IllegalStateException(count + " outbox rows are older than " + floor
                        + ", where the topics' records begin: whether they were published cannot be known;"
                        + " set relay.recovery to publish (perhaps twice) or skip (perhaps never)");
        };
    }

    /**
     * @param missing ids to publish, null for all
     * @param since rows before are left out, null for none
     */
    private record Selection(
            java.util.@Nullable Set<UUID> missing, @Nullable Instant since) {}

    /** Publishes in batches, each with a position of its own that says no more than "recovering, this far". */
    private static final class Progress {

        private static final AtomicLong STEPS = new AtomicLong(System.currentTimeMillis() << 10);

        private final TransactionalPublisher publisher;
        private final TransactionalPublisher.RetryGate retry;
        private final List<Row> batch = new ArrayList<>();
        private @Nullable PublishedPosition stored;
        private long weight;
        private long total;

        Progress(
                TransactionalPublisher publisher,
                @Nullable PublishedPosition stored,
                TransactionalPublisher.RetryGate retry) {
            this.publisher = publisher;
            this.stored = stored;
            this.retry = retry;
        }

        void add(OutboxRow row) throws InterruptedException {
            Instant now = Instant.now();
            batch.add(new Row(0, row, row.createdAt() == null ? now : row.createdAt(), now));
            weight += row.weight();
            if (batch.size() >= BATCH_ROWS || weight >= BATCH_WEIGHT) {
                publish(PublishedPosition.recovering(STEPS.incrementAndGet()));
            }
        }

        void finish(PublishedPosition position) throws InterruptedException {
            publish(position);
        }

        private void publish(PublishedPosition position) throws InterruptedException {
            publisher.publish(List.copyOf(batch), stored, position, retry);
            stored = position;
            total += batch.size();
            batch.clear();
            weight = 0;
        }
    }
}
