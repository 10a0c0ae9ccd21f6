package dev.signups.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * An example of another subscriber: the plain Kafka client, a group of its own, nothing of this project.
 *
 * <p>At least once: a crash between the handling of an event and the commit of its offset hands it over again, with the
 * same header {@code id}.
 */
final class SignupSubscriber implements AutoCloseable {

    private final KafkaConsumer<String, String> consumer;
    private final Thread thread;

    SignupSubscriber(
            String bootstrapServers, String group, String topic, Consumer<ConsumerRecord<String, String>> handler) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "group.id", group,
                        // the default would also show what aborted transactions wrote
                        "isolation.level", "read_committed",
                        // a new group begins with the oldest event, not with the next one
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false",
                        // finds a topic that is made after this subscriber has started
                        "metadata.max.age.ms", "1000"),
                new StringDeserializer(),
                new StringDeserializer());
        thread = Thread.ofPlatform().name(group).start(() -> read(topic, handler));
    }

    private void read(String topic, Consumer<ConsumerRecord<String, String>> handler) {
        try (consumer) {
            consumer.subscribe(List.of(topic));
            while (true) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofSeconds(1));
                records.forEach(handler);
                consumer.commitSync();
            }
        } catch (WakeupException e) {
            // closed
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
