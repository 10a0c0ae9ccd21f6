package dev.signups.relay.recovery;

import dev.signups.relay.publish.PublishProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** The events that Kafka holds, as a {@code read_committed} reader sees them, up to the end as it was at the start. */
final class PublishedEvents implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final String deadLetterTopic;
    private long time;
    private long records;

    PublishedEvents(PublishProperties properties, Collection<String> topics, @Nullable Instant from) {
        deadLetterTopic = properties.deadLetterTopic();
        consumer = new KafkaConsumer<>(
                properties.clients(Map.of(
                        "client.id",
                        "outbox-relay-audit",
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "max.poll.records",
                        2000,
                        "default.api.timeout.ms",
                        30000)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        Map<String, List<PartitionInfo>> existing = consumer.listTopics();
        for (String topic : topics) {
            for (PartitionInfo partition : existing.getOrDefault(topic, List.of())) {
                partitions.add(new TopicPartition(topic, partition.partition()));
            }
        }
        for (PartitionInfo partition : existing.getOrDefault(deadLetterTopic, List.of())) {
            partitions.add(new TopicPartition(deadLetterTopic, partition.partition()));
        }
        consumer.assign(partitions);
        ends.putAll(consumer.endOffsets(partitions));
        consumer.seekToBeginning(partitions);
        if (from != null) {
            seek(partitions, from);
        }
    }

    /** A record's timestamp is its row's created_at, so no earlier record can belong to a later row. */
    private void seek(List<TopicPartition> partitions, Instant from) {
        Map<TopicPartition, Long> times = new HashMap<>();
        for (TopicPartition partition : partitions) {
            if (!partition.topic().equals(deadLetterTopic)) {
                times.put(partition, from.toEpochMilli());
            }
        }
        for (Map.Entry<TopicPartition, OffsetAndTimestamp> found :
                consumer.offsetsForTimes(times).entrySet()) {
            OffsetAndTimestamp at = found.getValue();
            consumer.seek(found.getKey(), at == null ? end(found.getKey()) : at.offset());
        }
    }

    /** Where a topic no longer begins at its first record: the time of the oldest record that is left. */
    Optional<Instant> floor() {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(consumer.assignment());
        Map<TopicPartition, Long> cut = new HashMap<>();
        begins.forEach((partition, begin) -> {
            if (begin > 0 && !partition.topic().equals(deadLetterTopic)) {
                cut.put(partition, 0L);
            }
        });
        long floor = 0;
        for (OffsetAndTimestamp oldest : consumer.offsetsForTimes(cut).values()) {
            floor = Math.max(floor, oldest == null ? Long.MAX_VALUE : oldest.timestamp());
        }
        return floor == 0
                ? Optional.empty()
                : Optional.of(floor == Long.MAX_VALUE ? Instant.now() : Instant.ofEpochMilli(floor));
    }

    /** Whether there is nothing at all to read. */
    boolean isEmpty() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** The ids of the next records that are no replays; empty does not mean the end. */
    List<UUID> next() {
        List<UUID> ids = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            if (record.offset() >= end(new TopicPartition(record.topic(), record.partition()))) {
                continue;
            }
            if (!record.topic().equals(deadLetterTopic)) {
                time = Math.max(time, record.timestamp());
            }
            UUID id = id(record);
            if (id != null) {
                records++;
                ids.add(id);
            }
        }
        return ids;
    }

    /** Whether all has been read. */
    boolean atEnd() {
        return isEmpty();
    }

    /** How far the reading is, by the records' time. */
    long time() {
        return time;
    }

    long records() {
        return records;
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private @Nullable UUID id(ConsumerRecord<byte[], byte[]> record) {
        byte[] text;
        if (record.topic().equals(deadLetterTopic)) {
            text = record.key();
        } else {
            Header id = record.headers().lastHeader("id");
            if (record.headers().lastHeader("replay") != null) {
                return null;
            }
            text = id == null ? null : id.value();
        }
        try {
            return text == null ? null : UUID.fromString(new String(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(2)));
    }
}
