package dev.signups.relay.engine;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.ChangeHandler;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of an embedded Debezium engine, from the slot's confirmed LSN to its end.
 *
 * <p>Debezium keeps no position: each run starts with an empty offset store, so that the slot alone says where to
 * begin. Everything that the handler throws ends the run for good; nothing is retried in here, because the engine would
 * go on with the next batch and lose the failed one.
 */
public final class LogReader implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LogReader.class);
    private static final String PREFIX = "relay";

    private final DebeziumEngine<?> engine;
    private final Thread thread;
    private final CompletableFuture<@Nullable Throwable> ended = new CompletableFuture<>();
    private final @Nullable ChangeFeed feed;
    private final String id = UUID.randomUUID().toString();

    private LogReader(LogSource source, EngineProperties properties, ChangeHandler handler) {
        Properties debezium = debezium(source, properties);
        // beans are named by the prefix alone, and an engine waits for a taken name for up to a minute: a run that
        // begins while the one before still ends would stand still for that long
        debezium.setProperty("custom.metric.tags", "run=" + id);
        DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> consumer;
        OffsetCommitPolicy policy;
        if (properties.reader() == EngineProperties.Reader.DIRECT) {
            ChangeFeed changes = new ChangeFeed(
                    properties.bufferRows(),
                    properties.bufferSize().toBytes(),
                    properties.batchRows(),
                    properties.confirmInterval());
            feed = changes;
            ChangeFeed.register(id, changes);
            WakingSocketFactory.open(id);
            debezium.setProperty(ChangeFeed.PROPERTY, id);
            debezium.setProperty("driver.socketFactory", WakingSocketFactory.class.getName());
            debezium.setProperty("driver.socketFactoryArg", id);
            debezium.setProperty("connector.class", DirectConnector.class.getName());
            consumer = direct(handler, changes);
            policy = OffsetCommitPolicy.always();
        } else {
            feed = null;
            debezium.setProperty("connector.class", PostgresConnector.class.getName());
            consumer = stock(handler);
            policy = (_, elapsed) -> elapsed.compareTo(properties.confirmInterval()) >= 0;
        }
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(debezium)
                .using(policy)
                .using((_, _, error) -> ended.complete(error))
                .notifying(consumer)
                .build();
        thread = Thread.ofPlatform().name("relay-engine-" + source.slot()).unstarted(this::run);
    }

    /**
     * Starts reading.
     *
     * @param source where from
     * @param properties how
     * @param handler takes the changes, on a thread of the engine
     */
    public static LogReader start(LogSource source, EngineProperties properties, ChangeHandler handler) {
        LogReader reader = new LogReader(source, properties, handler);
        reader.thread.start();
        return reader;
    }

    /** Completes when the engine has ended: with what ended it, or with null if it was asked to. */
    public CompletableFuture<@Nullable Throwable> ended() {
        return ended;
    }

    /** Ends the run: no batch is handed over after this returns. */
    @Override
    public void close() {
        if (feed != null) {
            feed.close();
        }
        try {
            engine.close();
        } catch (IOException | IllegalStateException e) {
            log.atDebug().setCause(e).log("the engine had ended already");
        }
        try {
            thread.join(20_000);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(10_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            log.error("Debezium's engine does not end; restart the relay if it stands still");
        }
    }

    private void run() {
        try {
            engine.run();
        } catch (RuntimeException e) {
            ended.complete(e);
        } finally {
            ended.complete(null);
            if (feed != null) {
                feed.unregister();
                WakingSocketFactory.close(id);
            }
        }
    }

    private static DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> stock(ChangeHandler handler) {
        StockRecords records = new StockRecords();
        return new BatchConsumer() {
            @Override
            void handle(List<SourceRecord> batch, Marker marker) throws InterruptedException {
                List<Change> changes = records.read(batch);
                long confirm = handler.handle(changes);
                if (confirm != 0) {
                    marker.mark(records.indexAt(confirm));
                }
            }
        };
    }

    private static DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> direct(
            ChangeHandler handler, ChangeFeed feed) {
        return new BatchConsumer() {
            @Override
            void handle(List<SourceRecord> batch, Marker marker) throws InterruptedException {
                for (SourceRecord record : batch) {
                    feed.confirm(handler.handle(DirectTask.changes(record)));
                }
            }
        };
    }

    private static Properties debezium(LogSource source, EngineProperties properties) {
        Properties p = new Properties();
        p.setProperty("name", "outbox-relay");
        p.setProperty("topic.prefix", PREFIX);
        p.setProperty("offset.storage", MemoryOffsetBackingStore.class.getName());
        p.setProperty("database.hostname", source.hostname());
        p.setProperty("database.port", Integer.toString(source.port()));
        p.setProperty("database.dbname", source.database());
        p.setProperty("database.user", source.user());
        p.setProperty("database.password", source.password());
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", source.slot());
        p.setProperty("publication.name", source.publication());
        p.setProperty("publication.autocreate.mode", "disabled");
        p.setProperty("table.include.list", source.table().replace(".", "\\."));
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("tombstones.on.delete", "false");
        p.setProperty("heartbeat.interval.ms", "0");
        p.setProperty("slot.max.retries", "1");
        p.setProperty("slot.retry.delay.ms", "1000");
        p.setProperty("status.update.interval.ms", "5000");
        // no retry inside the engine: it would go on with the batch after the one that failed
        p.setProperty("errors.max.retries", "0");
        p.setProperty("retriable.restart.connector.wait.ms", "1000");
        p.setProperty("task.management.timeout.ms", "30000");
        p.setProperty("record.processing.shutdown.timeout.ms", "2000");
        p.setProperty("record.processing.threads", "1");
        p.setProperty("max.batch.size", Integer.toString(properties.batchRows()));
        if (properties.reader() == EngineProperties.Reader.STOCK) {
            p.setProperty("provide.transaction.metadata", "true");
            p.setProperty(
                    "poll.interval.ms", Long.toString(properties.pollInterval().toMillis()));
            p.setProperty(
                    "max.queue.size", Integer.toString(Math.max(properties.bufferRows(), properties.batchRows() + 1)));
            p.setProperty(
                    "max.queue.size.in.bytes",
                    Long.toString(properties.bufferSize().toBytes()));
        } else {
            p.setProperty("poll.interval.ms", "1");
            p.setProperty("max.queue.size", Integer.toString(properties.batchRows() + 1));
        }
        source.driver().forEach((key, value) -> p.setProperty("driver." + key, value));
        Map<String, String> own = properties.properties();
        if (own != null) {
            p.putAll(own);
        }
        return p;
    }

    /** Marks the record up to which all is published. */
    private interface Marker {
        void mark(int index) throws InterruptedException;
    }

    private abstract static class BatchConsumer
            implements DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> {

        abstract void handle(List<SourceRecord> batch, Marker marker) throws InterruptedException;

        @Override
        public void handleBatch(
                List<RecordChangeEvent<SourceRecord>> events,
                RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
                throws InterruptedException {
            List<SourceRecord> batch =
                    events.stream().map(RecordChangeEvent::record).toList();
            try {
                handle(batch, index -> committer.markProcessed(events.get(index)));
            } catch (org.apache.kafka.common.errors.RetriableException
                    | org.apache.kafka.connect.errors.RetriableException e) {
                // the engine would poll the next batch; any other exception ends it
                throw new IllegalStateException("a retriable failure left the handler", e);
            }
            committer.markBatchFinished();
        }
    }
}
