package dev.signups.relay.publish;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads the dead letters from their topic. */
public final class DeadLetters {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final PublishProperties properties;

    /** @param properties where the topic is */
    public DeadLetters(PublishProperties properties) {
        this.properties = properties;
    }

    /**
     * The newest dead letters, newest first.
     *
     * @param limit how many at the most
     */
    public List<DeadLetter> newest(int limit) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                properties.clients(Map.of(
                        "client.id",
                        "outbox-relay-dead-letters",
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "default.api.timeout.ms",
                        10000)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            if (!consumer.listTopics().containsKey(properties.deadLetterTopic())) {
                return List.of();
            }
            TopicPartition partition = new TopicPartition(properties.deadLetterTopic(), 0);
            consumer.assign(List.of(partition));
            long end =
                    consumer.endOffsets(List.of(partition)).values().iterator().next();
            // every transaction leaves a marker that takes an offset: at the worst one for each letter
            consumer.seek(
                    partition,
                    Math.max(
                            consumer.beginningOffsets(List.of(partition))
                                    .values()
                                    .iterator()
                                    .next(),
                            end - 2L * limit));
            ArrayDeque<DeadLetter> letters = new ArrayDeque<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
            while (consumer.position(partition) < end && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    add(letters, record, limit);
                }
            }
            return new ArrayList<>(letters);
        }
    }

    private static void add(ArrayDeque<DeadLetter> letters, ConsumerRecord<byte[], byte[]> record, int limit) {
        try {
            letters.addFirst(JSON.readValue(record.value(), DeadLetter.class));
        } catch (JacksonException e) {
            // somebody else's record in our topic: no dead letter of this relay
            return;
        }
        if (letters.size() > limit) {
            letters.removeLast();
        }
    }
}
