package dev.signups.localstack.demo;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the topic from its end, without a group, on a thread of its own so that the times are true. */
final class PublishedReader {

    private static final String TOPIC = "outbox.event.user";
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<String, byte[]> consumer;
    private final BlockingQueue<Published> arrived;
    private final CountDownLatch positioned = new CountDownLatch(1);
    private final Thread thread = new Thread(this::read, "published-reader");
    private volatile boolean closed;

    PublishedReader(int kafkaPort, BlockingQueue<Published> arrived) {
        this.arrived = arrived;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", "127.0.0.1:" + kafkaPort,
                        "isolation.level", "read_committed",
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "latest",
                        "allow.auto.create.topics", "false",
                        "reconnect.backoff.max.ms", "500"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Returns when it stands at the end of the topic, or when there is no topic yet: then it reads from the first record. */
    void start() {
        thread.setDaemon(true);
        thread.start();
        try {
            positioned.await(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        closed = true;
        consumer.wakeup();
    }

    private void read() {
        boolean assigned = false;
        boolean topicWasMissing = false;
        while (!closed) {
            try {
                if (!assigned) {
                    assigned = assign(topicWasMissing);
                    topicWasMissing = !assigned;
                    positioned.countDown();
                }
                if (assigned) {
                    for (ConsumerRecord<String, byte[]> found : consumer.poll(POLL)) {
                        take(found, System.currentTimeMillis());
                    }
                } else {
                    Waiting.millis(POLL.toMillis());
                }
            } catch (KafkaException e) {
                // the broker is away; it may come back
                Waiting.millis(POLL.toMillis());
            }
        }
    }

    private boolean assign(boolean fromBeginning) {
        List<PartitionInfo> partitions = consumer.partitionsFor(TOPIC, Duration.ofSeconds(2));
        if (partitions.isEmpty()) {
            return false;
        }
        List<TopicPartition> all = partitions.stream()
                .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                .toList();
        consumer.assign(all);
        if (fromBeginning) {
            consumer.seekToBeginning(all);
        } else {
            consumer.seekToEnd(all);
        }
        all.forEach(consumer::position);
        return true;
    }

    private void take(ConsumerRecord<String, byte[]> event, long now) {
        if ("UserSignedUp".equals(header(event, "ce_type")) && event.key() != null) {
            // full only when the pipeline is far ahead of this window: then the event is not followed
            arrived.offer(new Published(event.key(), committedAt(event), now));
        }
    }

    private static long committedAt(ConsumerRecord<String, byte[]> event) {
        String time = header(event, "ce_time");
        try {
            return time == null
                    ? event.timestamp()
                    : OffsetDateTime.parse(time).toInstant().toEpochMilli();
        } catch (DateTimeParseException e) {
            return event.timestamp();
        }
    }

    private static @Nullable String header(ConsumerRecord<String, byte[]> event, String name) {
        Header header = event.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
