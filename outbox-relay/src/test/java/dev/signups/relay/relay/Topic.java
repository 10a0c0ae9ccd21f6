package dev.signups.relay.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic as a read_committed reader sees it, from its beginning. */
final class Topic implements AutoCloseable {

    private final KafkaConsumer<String, String> consumer;
    private final String name;
    private final List<ConsumerRecord<String, String>> records = new ArrayList<>();

    Topic(String bootstrapServers, String name) {
        this.name = name;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "max.poll.records",
                        5000,
                        "metadata.max.age.ms",
                        1000),
                new StringDeserializer(),
                new StringDeserializer());
    }

    /** All that was read, partition by partition in order. */
    List<ConsumerRecord<String, String>> records() {
        return List.copyOf(records);
    }

    List<UUID> ids() {
        return records.stream().map(Topic::id).toList();
    }

    /** Ids that came more than once. */
    List<UUID> repeated() {
        HashSet<UUID> seen = new HashSet<>();
        return ids().stream().filter(Predicate.not(seen::add)).toList();
    }

    /** Reads until so many records are there or time is over, and then for a moment more, for what must not come. */
    Topic await(int count, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (records.size() < count && System.nanoTime() < deadline) {
            poll(Duration.ofMillis(100));
        }
        return drain();
    }

    /** Reads until so many records are there, and no longer. */
    void awaitMore(int count, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (records.size() < count && System.nanoTime() < deadline) {
            poll(Duration.ofMillis(100));
        }
        if (records.size() < count) {
            throw new AssertionError(records.size() + " of " + count + " records came within " + limit);
        }
    }

    Topic await(int count) {
        return await(count, Duration.ofSeconds(60));
    }

    /** Reads all that is there now. */
    Topic drain() {
        poll(Duration.ofMillis(150));
        Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(consumer.assignment()));
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())
                && System.nanoTime() < deadline) {
            poll(Duration.ofMillis(100));
        }
        return this;
    }

    private void poll(Duration wait) {
        if (consumer.assignment().isEmpty()) {
            List<PartitionInfo> partitions = consumer.listTopics().getOrDefault(name, List.of());
            List<TopicPartition> all = partitions.stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            if (all.isEmpty()) {
                java.util.concurrent.locks.LockSupport.parkNanos(wait.toNanos());
                return;
            }
            consumer.assign(all);
            consumer.seekToBeginning(all);
        }
        consumer.poll(wait).forEach(records::add);
    }

    static UUID id(ConsumerRecord<String, String> record) {
        return UUID.fromString(header(record, "id"));
    }

    static String header(ConsumerRecord<String, String> record, String key) {
        Header header = record.headers().lastHeader(key);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
