package dev.signups.loadtests.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/** Puts events on a topic as the relay does (see {@code infra/contracts}), faster than signups can. */
final class EventProducer implements AutoCloseable {

    private final KafkaProducer<String, String> producer;
    private final String topic;
    private final Map<String, Long> created = new ConcurrentHashMap<>();

    EventProducer(String bootstrapServers, String topic) {
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 2, "batch.size", 65_536),
                new StringSerializer(),
                new StringSerializer());
    }

    static void createTopic(String bootstrapServers, String topic) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(topic, 12, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** What was put, by address, in microseconds since the epoch. */
    Map<String, Long> created() {
        return Map.copyOf(created);
    }

    void send(String address) {
        String id = UUID.randomUUID().toString();
        String user = UUID.randomUUID().toString();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        ProducerRecord<String, String> event = new ProducerRecord<>(topic, user, """
                {"userId":"%s","email":"%s","firstName":"Ada","lastName":"Lovelace","occurredAt":"%s"}""".formatted(user, address, now));
        Map.of(
                        "id", id,
                        "ce_specversion", "1.0",
                        "ce_id", id,
                        "ce_type", "UserSignedUp",
                        "ce_source", "/signup-service",
                        "ce_time", now.toString(),
                        "content-type", "application/json")
                .forEach((name, value) -> event.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        created.put(address, ChronoUnit.MICROS.between(Instant.EPOCH, now));
        // a send that fails is an event without an e-mail: it shows as lost
        Future<RecordMetadata> _ = producer.send(event);
    }

    void sendAll(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            send(prefix + i + "@example.org");
        }
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
