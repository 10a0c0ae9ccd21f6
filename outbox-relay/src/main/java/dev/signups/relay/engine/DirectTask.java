package dev.signups.relay.engine;

import dev.signups.relay.change.Change;
import io.debezium.config.Configuration;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.debezium.connector.postgresql.PostgresOffsetContext;
import io.debezium.connector.postgresql.PostgresPartition;
import io.debezium.connector.postgresql.connection.ReplicationConnection;
import io.debezium.pipeline.ChangeEventSourceCoordinator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's task with a short cut: connection, slot, decoder, keep-alive and error handling stay Debezium's; what the
 * decoder says goes to a {@link ChangeFeed} instead of through dispatcher, schema, record and queue.
 *
 * <p>Public because Debezium makes it.
 */
public final class DirectTask extends PostgresConnectorTask {

    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Map<String, String> PARTITION = Map.of("server", "relay");

    private @Nullable ChangeFeed feed;
    private WakingSocketFactory.@Nullable Waiter waiter;

    @Override
    public ChangeEventSourceCoordinator<PostgresPartition, PostgresOffsetContext> start(Configuration config) {
        String id = config.getString(ChangeFeed.PROPERTY);
        feed = ChangeFeed.byId(id);
        waiter = WakingSocketFactory.waiter(id);
        return super.start(config);
    }

    @Override
    public ReplicationConnection createReplicationConnection(
            PostgresConnectorConfig config, int maxRetries, Duration retryDelay) {
        return new DirectReplicationConnection(
                super.createReplicationConnection(config, maxRetries, retryDelay), feed(), waiter);
    }

    @Override
    public List<SourceRecord> doPoll() throws InterruptedException {
        long confirm = feed().confirmationDue();
        if (confirm != 0) {
            confirm(confirm);
        }
        List<Change> changes = feed().take(IDLE);
        if (changes.isEmpty()) {
            // nothing goes through Debezium's own queue but its errors
            return super.doPoll();
        }
        return List.of(new SourceRecord(PARTITION, Map.of(), "changes", null, null, null, null, changes));
    }

    /** At the end of the run; while it goes on, {@link #doPoll()} confirms. */
    @Override
    public void performCommit() {
        long confirm = feed().confirmationLeft();
        if (confirm != 0) {
            confirm(confirm);
        }
    }

    @SuppressWarnings("unchecked")
    static List<Change> changes(SourceRecord record) {
        return (List<Change>) record.value();
    }

    private void confirm(long lsn) {
        ChangeEventSourceCoordinator<PostgresPartition, PostgresOffsetContext> running = coordinator;
        if (running != null) {
            running.commitOffset(
                    PARTITION,
                    Map.of(
                            PostgresOffsetContext.LAST_COMMIT_LSN_KEY,
                            lsn,
                            PostgresOffsetContext.LAST_COMPLETELY_PROCESSED_LSN_KEY,
                            lsn));
        }
    }

    private ChangeFeed feed() {
        if (feed == null) {
            throw new IllegalStateException("the task was not started");
        }
        return feed;
    }
}
