package dev.signups.relay.publish;

import dev.signups.relay.change.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends rows again, outside the relay's transactions and without touching its position. */
public final class ReplayPublisher implements AutoCloseable {

    private static final RecordHeader REPLAY = new RecordHeader("replay", "true".getBytes(StandardCharsets.UTF_8));

    private final EventRecord events;
    private final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final @Nullable String topic;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /**
     * @param properties where Kafka is
     * @param topic where to, null for each row's own
     */
    public ReplayPublisher(PublishProperties properties, @Nullable String topic) {
        this.topic = topic;
        this.events = new EventRecord(properties.topicPrefix(), properties.source());
        this.topics = new Topics(properties);
        this.producer = new KafkaProducer<>(
                properties.clients(Map.of(
                        "client.id",
                        "outbox-relay-replay",
                        "acks",
                        "all",
                        "enable.idempotence",
                        true,
                        "max.request.size",
                        Math.toIntExact(properties.maxRecordSize().toBytes() + 65536),
                        "delivery.timeout.ms",
                        30000,
                        "request.timeout.ms",
                        10000,
                        "max.block.ms",
                        20000)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Sends a row; whether it arrived shows after {@link #flush()}. */
    public void send(OutboxRow row) {
        switch (events.map(row, topic, REPLAY)) {
            case EventRecord.Mapped.Refused _ -> refused.incrementAndGet();
            case EventRecord.Mapped.Publishable yes -> {
                if (isRefused(yes)) {
                    refused.incrementAndGet();
                } else {
                    var _ = producer.send(
                            yes.record(), (_, error) -> (error == null ? sent : refused).incrementAndGet());
                }
            }
        }
    }

    private boolean isRefused(EventRecord.Mapped.Publishable event) {
        try {
            return event.size() > topics.ensureEvents(event.record().topic()).maxMessageBytes();
        } catch (InvalidTopicException | PolicyViolationException e) {
            return true;
        }
    }

    /** Waits for all that was sent. */
    public void flush() {
        producer.flush();
    }

    /** Rows acknowledged. */
    public long sent() {
        return sent.get();
    }

    /** Rows that cannot be records, or that Kafka did not take. */
    public long refused() {
        return refused.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        topics.close();
    }
}
