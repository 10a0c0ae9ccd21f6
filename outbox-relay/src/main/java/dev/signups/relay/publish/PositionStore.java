package dev.signups.relay.publish;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The published position as the newest committed record of a compacted topic.
 *
 * <p>Read only after {@code initTransactions}: that ends the previous relay's transaction, so that what is read here is
 * final.
 */
final class PositionStore {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int TAIL = 500;

    private final PublishProperties properties;
    private final String key;

    PositionStore(PublishProperties properties, String key) {
        this.properties = properties;
        this.key = key;
    }

    ProducerRecord<byte[], byte[]> record(PublishedPosition position) {
        return new ProducerRecord<>(
                properties.positionTopic(), 0, key.getBytes(StandardCharsets.UTF_8), JSON.writeValueAsBytes(position));
    }

    /** Null where none was ever written. */
    @Nullable PublishedPosition read() {
        TopicPartition partition = new TopicPartition(properties.positionTopic(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                properties.clients(Map.of(
                        "client.id",
                        "outbox-relay-position",
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "default.api.timeout.ms",
                        20000,
                        "request.timeout.ms",
                        10000)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            long end = only(consumer.endOffsets(List.of(partition)));
            long begin = only(consumer.beginningOffsets(List.of(partition)));
            PublishedPosition newest = newest(consumer, partition, Math.max(begin, end - TAIL), end);
            return newest != null || end - TAIL <= begin ? newest : newest(consumer, partition, begin, end);
        }
    }

    private static long only(Map<TopicPartition, Long> offsets) {
        return offsets.values().iterator().next();
    }

    private @Nullable PublishedPosition newest(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long from, long end) {
        consumer.seek(partition, from);
        PublishedPosition newest = null;
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (consumer.position(partition) < end) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                if (record.key() != null
                        && record.value() != null
                        && key.equals(new String(record.key(), StandardCharsets.UTF_8))) {
                    newest = JSON.readValue(record.value(), PublishedPosition.class);
                }
            }
            if (System.nanoTime() > deadline) {
                throw new org.apache.kafka.common.errors.TimeoutException(
                        "the published position cannot be read from " + partition + " within 30 s");
            }
        }
        return newest;
    }
}
