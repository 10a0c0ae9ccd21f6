package dev.signups.localstack;

/** A Kafka broker, wherever it runs. */
public interface Kafka {

    /** For {@code bootstrap.servers}. */
    String bootstrapServers();
}
