package dev.signups.loadtests.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A contender's topic, of 12 partitions. Its records carry the time at which the broker appended them, whatever the
 * producer says, so that a backlog's drain can be timed afterwards, with no reader taking part of the processor.
 */
final class Topic {

    private static final int PARTITIONS = 12;

    private final String bootstrapServers;
    private final String name;

    private Topic(String bootstrapServers, String name) {
        this.bootstrapServers = bootstrapServers;
        this.name = name;
    }

    static Topic create(Stand stand, String name) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", stand.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1)
                            .configs(Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "-1"))))
                    .all()
                    .get();
        }
        return new Topic(stand.bootstrapServers(), name);
    }

    /** A reader of committed records, at the end of all partitions or at their begin. */
    KafkaConsumer<byte[], byte[]> reader(boolean atEnd) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "isolation.level",
                        "read_committed",
                        "max.poll.records",
                        10_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(partitions());
        if (atEnd) {
            consumer.seekToEnd(partitions());
            partitions().forEach(consumer::position);
        } else {
            consumer.seekToBeginning(partitions());
        }
        return consumer;
    }

    /** Waits until so many offsets are taken (markers of transactions count as well). */
    void awaitOffsets(long count, Contender contender, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = reader(false)) {
            while (offsets(consumer) < count) {
                contender.checkAlive();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("only " + offsets(consumer) + " records of " + count + " came to "
                            + name + " within " + limit);
                }
                Thread.sleep(100);
            }
        }
    }

    /** How many offsets are taken. */
    long offsets() {
        try (KafkaConsumer<byte[], byte[]> consumer = reader(false)) {
            return offsets(consumer);
        }
    }

    private long offsets(KafkaConsumer<byte[], byte[]> consumer) {
        return consumer.endOffsets(partitions()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Reads from the begin until {@code numbers} distinct ones are there and then to the end. */
    Content read(int numbers, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        Content content = new Content();
        try (KafkaConsumer<byte[], byte[]> consumer = reader(false)) {
            while (content.seen.cardinality() < numbers && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(content::add);
            }
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions());
            while (end.entrySet().stream().anyMatch(each -> consumer.position(each.getKey()) < each.getValue())
                    && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(content::add);
            }
        }
        return content;
    }

    private List<TopicPartition> partitions() {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .toList();
    }

    /** The number in front of an event. */
    static int number(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        int number = 0;
        for (int i = 5; value[i] != ','; i++) {
            number = number * 10 + value[i] - '0';
        }
        return number;
    }

    /** What a reader of committed records got. */
    static final class Content {

        private final BitSet seen = new BitSet();
        private final Map<String, Integer> lastOfKey = new HashMap<>();
        private final List<Long> appendedAt = new ArrayList<>();
        private int duplicates;
        private int reordered;

        void add(ConsumerRecord<byte[], byte[]> record) {
            int number = number(record);
            if (seen.get(number)) {
                duplicates++;
                return;
            }
            seen.set(number);
            while (appendedAt.size() <= number) {
                appendedAt.add(0L);
            }
            appendedAt.set(number, record.timestamp());
            Integer before = lastOfKey.put(new String(record.key(), StandardCharsets.UTF_8), number);
            if (before != null && before > number) {
                reordered++;
            }
        }

        /** Events per second from the append of the first to that of the last of these numbers. */
        double rate(int from, int to) {
            long[] times = IntStream.range(from, to)
                    .filter(seen::get)
                    .mapToLong(appendedAt::get)
                    .toArray();
            long first = Arrays.stream(times).min().orElseThrow();
            long last = Arrays.stream(times).max().orElseThrow();
            return times.length / Math.max(0.001, (last - first) / 1000.0);
        }

        int duplicates() {
            return duplicates;
        }

        int reordered() {
            return reordered;
        }

        /** Numbers of the table that are not here. */
        int lost(BitSet table) {
            BitSet missing = (BitSet) table.clone();
            missing.andNot(seen);
            return missing.cardinality();
        }

        /** Numbers that were rolled back, or never written, and are here. */
        int unknown(BitSet table) {
            BitSet more = (BitSet) seen.clone();
            more.andNot(table);
            return more.cardinality();
        }
    }
}
