package dev.signups.loadtests.relay.peer;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The arguments of a peer, as {@code key=value}, and the producers that peers use. */
final class Settings {

    private final Map<String, String> values = new HashMap<>();

    Settings(String[] arguments) {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
    }

    String get(String key) {
        return Objects.requireNonNull(values.get(key), key);
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + get("port") + "/" + get("database");
    }

    /** Kafka's defaults: {@code acks=all}, idempotent, and since Kafka 4 a linger of 5 ms. */
    KafkaProducer<byte[], byte[]> shippedProducer() {
        return producer(Map.of());
    }

    /** The settings of the relay's own producer, without its transactions. */
    KafkaProducer<byte[], byte[]> tunedProducer() {
        return producer(
                Map.of("linger.ms", 20, "batch.size", 131072, "buffer.memory", 33554432L, "compression.type", "lz4"));
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("bootstrap.servers", get("kafka"));
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
