package dev.signups.email.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.stereotype.Component;

/**
 * What the group has not yet taken in, by the committed offsets: the figure that every lag tool shows, and the age of
 * the oldest such record, which none does. Looked at by one thread, at most once a second.
 */
@Component
public class Backlog implements AutoCloseable {

    private static final long PATIENCE_MS = 5000;
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Map<String, Object> adminSettings;
    private final Map<String, Object> consumerSettings;
    private final InboxProperties properties;
    private final Map<TopicPartition, Oldest> oldest = new HashMap<>();
    private @Nullable Admin admin;
    private @Nullable Consumer<byte[], byte[]> reader;

    Backlog(KafkaAdmin admin, ConsumerFactory<?, ?> consumer, InboxProperties properties) {
        this.adminSettings = new HashMap<>(admin.getConfigurationProperties());
        this.adminSettings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE_MS);
        this.adminSettings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE_MS);
        this.consumerSettings = new HashMap<>(consumer.getConfigurationProperties());
        this.consumerSettings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        this.consumerSettings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        this.consumerSettings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        this.consumerSettings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 16 * 1024);
        this.consumerSettings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
        this.consumerSettings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE_MS);
        this.consumerSettings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        this.consumerSettings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        this.properties = properties;
    }

    /**
     * Records not yet taken in.
     *
     * @param lag how many
     * @param oldest when the oldest of them was written; null: there is none
     */
    public record Size(long lag, @Nullable Instant oldest) {

        static final Size NONE = new Size(0, null);
    }

    /** The first record at or after a committed offset. */
    private record Oldest(long committed, @Nullable Instant written) {}

    /** Asks Kafka now. */
    public synchronized Size measure() throws InterruptedException, KafkaUnreachableException {
        try {
            Map<TopicPartition, long[]> ranges = ranges();
            ranges.values().removeIf(range -> range[0] >= range[1]);
            oldest.keySet().retainAll(ranges.keySet());
            if (ranges.isEmpty()) {
                return Size.NONE;
            }
            look(ranges);
            return sum(ranges);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Size.NONE;
            }
            throw new KafkaUnreachableException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
        }
        if (reader != null) {
            reader.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    /** From the committed offset (of a group without one: the beginning) to the end that a committed reader sees. */
    private Map<TopicPartition, long[]> ranges() throws ExecutionException, InterruptedException, TimeoutException {
        Admin asked = admin == null ? Admin.create(adminSettings) : admin;
        admin = asked;
        TopicDescription topic = asked.describeTopics(List.of(properties.topic()))
                .allTopicNames()
                .get(PATIENCE_MS, TimeUnit.MILLISECONDS)
                .get(properties.topic());
        if (topic == null) {
            return new HashMap<>();
        }
        Map<TopicPartition, OffsetSpec> earliest = new HashMap<>();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        topic.partitions().forEach(partition -> {
            TopicPartition key = new TopicPartition(properties.topic(), partition.partition());
            earliest.put(key, OffsetSpec.earliest());
            latest.put(key, OffsetSpec.latest());
        });
        ListOffsetsOptions committedOnly = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, ListOffsetsResultInfo> first =
                asked.listOffsets(earliest, committedOnly).all().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        Map<TopicPartition, ListOffsetsResultInfo> end =
                asked.listOffsets(latest, committedOnly).all().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        Map<TopicPartition, OffsetAndMetadata> committed = asked.listConsumerGroupOffsets(properties.group())
                .partitionsToOffsetAndMetadata()
                .get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        Map<TopicPartition, long[]> ranges = new HashMap<>();
        end.forEach((partition, info) -> {
            ListOffsetsResultInfo beginning = first.get(partition);
            OffsetAndMetadata at = committed.get(partition);
            long from = Math.max(beginning == null ? 0 : beginning.offset(), at == null ? 0 : at.offset());
            ranges.put(partition, new long[] {from, info.offset()});
        });
        return ranges;
    }

    /** Reads the first record of each partition whose committed offset has moved since the last look. */
    private void look(Map<TopicPartition, long[]> ranges) {
        Map<TopicPartition, Long> moved = new HashMap<>();
        ranges.forEach((partition, range) -> {
            Oldest known = oldest.get(partition);
            if (known == null || known.committed() != range[0] || known.written() == null) {
                moved.put(partition, range[0]);
            }
        });
        if (moved.isEmpty()) {
            return;
        }
        Consumer<byte[], byte[]> asked = reader == null
                ? new KafkaConsumer<>(consumerSettings, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                : reader;
        reader = asked;
        asked.assign(moved.keySet());
        moved.forEach(asked::seek);
        long until = System.nanoTime() + LOOK.toNanos() * 2;
        while (!moved.isEmpty() && System.nanoTime() - until < 0) {
            ConsumerRecords<byte[], byte[]> records = asked.poll(LOOK);
            for (TopicPartition partition : records.partitions()) {
                ConsumerRecord<byte[], byte[]> first =
                        records.records(partition).getFirst();
                Long committed = moved.remove(partition);
                if (committed != null) {
                    oldest.put(partition, new Oldest(committed, Instant.ofEpochMilli(first.timestamp())));
                }
            }
            asked.pause(records.partitions());
            moved.entrySet().removeIf(entry -> isEmpty(asked, entry.getKey(), entry.getValue(), ranges));
        }
        asked.assign(List.of());
    }

    /** Nothing but the end markers of transactions up to the end: there is no lag, whatever the numbers say. */
    private boolean isEmpty(
            Consumer<byte[], byte[]> asked,
            TopicPartition partition,
            long committed,
            Map<TopicPartition, long[]> ranges) {
        long[] range = ranges.get(partition);
        if (range == null || asked.position(partition) < range[1]) {
            return false;
        }
        oldest.put(partition, new Oldest(committed, null));
        ranges.remove(partition);
        return true;
    }

    private Size sum(Map<TopicPartition, long[]> ranges) {
        long lag = 0;
        Instant first = null;
        for (Map.Entry<TopicPartition, long[]> entry : ranges.entrySet()) {
            lag += entry.getValue()[1] - entry.getValue()[0];
            Oldest known = oldest.get(entry.getKey());
            Instant written = known == null ? null : known.written();
            if (written != null && (first == null || written.isBefore(first))) {
                first = written;
            }
        }
        return new Size(lag, first);
    }

    /** Kafka did not answer. */
    public static class KafkaUnreachableException extends Exception {

        private static final long serialVersionUID = 1;

        KafkaUnreachableException(Exception cause) {
            super("Kafka did not answer", cause);
        }
    }
}
