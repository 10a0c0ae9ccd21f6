package dev.signups.loadtests.relay.peer;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The embedded Debezium engine with its Outbox Event Router. Two forms, {@code form=shipped} and {@code form=tuned}.
 *
 * <p>As shipped: every setting at its default but those without which it does not run here (connection, slot, an
 * existing publication, no snapshot of old rows), Kafka's producer at its defaults, and each record awaited before the
 * next, as the usual examples do it. Tuned: batches sent without waiting, then awaited together before they are marked;
 * larger batches and queue, a short poll interval, and the relay's producer settings.
 * Both are at least once.
 */
public final class Debezium {

    private Debezium() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) {
        Settings settings = new Settings(arguments);
        boolean tuned = settings.get("form").equals("tuned");
        Properties p = new Properties();
        p.setProperty("name", settings.get("slot"));
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", settings.get("offsets"));
        p.setProperty("topic.prefix", settings.get("slot"));
        p.setProperty("database.hostname", "127.0.0.1");
        p.setProperty("database.port", settings.get("port"));
        p.setProperty("database.dbname", settings.get("database"));
        p.setProperty("database.user", "relay");
        p.setProperty("database.password", "");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", settings.get("slot"));
        p.setProperty("publication.name", "outbox");
        p.setProperty("publication.autocreate.mode", "disabled");
        p.setProperty("table.include.list", "public\\.outbox");
        p.setProperty("snapshot.mode", "no_data");
        // not the relay's own
        p.setProperty("message.prefix.exclude.list", ".*");
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.topic.replacement", settings.get("topics") + "${routedByValue}");
        if (tuned) {
            p.setProperty("poll.interval.ms", "5");
            p.setProperty("max.batch.size", "8192");
            p.setProperty("max.queue.size", "32768");
            p.setProperty("offset.flush.interval.ms", "1000");
        }
        KafkaProducer<byte[], byte[]> producer = tuned ? settings.tunedProducer() : settings.shippedProducer();
        DebeziumEngine.Builder<RecordChangeEvent<SourceRecord>> builder = DebeziumEngine.create(
                        ChangeEventFormat.of(Connect.class))
                .using(p)
                .using((success, message, error) -> {
                    System.err.println("the engine ended: " + success + " " + message + " " + error);
                    Runtime.getRuntime().halt(1);
                });
        DebeziumEngine<?> engine = tuned
                ? builder.notifying(batches(producer)).build()
                : builder.notifying(event -> sendAndWait(producer, event.record()))
                        .build();
        engine.run();
    }

    private static void sendAndWait(KafkaProducer<byte[], byte[]> producer, SourceRecord source) {
        try {
            producer.send(record(source)).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> batches(
            KafkaProducer<byte[], byte[]> producer) {
        return new DebeziumEngine.ChangeConsumer<>() {
            @Override
            public void handleBatch(
                    List<RecordChangeEvent<SourceRecord>> events,
                    DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
                    throws InterruptedException {
                AtomicReference<Exception> failure = new AtomicReference<>();
                for (RecordChangeEvent<SourceRecord> event : events) {
                    var _ = producer.send(record(event.record()), (_, error) -> {
                        if (error != null) {
                            failure.set(error);
                        }
                    });
                }
                producer.flush();
                if (failure.get() != null) {
                    throw new IllegalStateException(failure.get());
                }
                for (RecordChangeEvent<SourceRecord> event : events) {
                    committer.markProcessed(event);
                }
                committer.markBatchFinished();
            }
        };
    }

    private static ProducerRecord<byte[], byte[]> record(SourceRecord source) {
        RecordHeaders headers = new RecordHeaders();
        for (Header header : source.headers()) {
            headers.add(header.key(), bytes(header.value()));
        }
        return new ProducerRecord<>(
                source.topic(), null, source.timestamp(), bytes(source.key()), bytes(source.value()), headers);
    }

    private static byte[] bytes(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
