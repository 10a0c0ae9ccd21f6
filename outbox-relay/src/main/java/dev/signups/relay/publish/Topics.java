package dev.signups.relay.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the relay's topics and knows their limits. Waits at most 30 s for an answer. */
public final class Topics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Topics.class);

    private final PublishProperties properties;
    private final Admin admin;
    private final Map<String, Limits> known = new HashMap<>();

    /** @param properties how to reach Kafka and what topics look like */
    public Topics(PublishProperties properties) {
        this.properties = properties;
        this.admin = Admin.create(properties.clients(Map.of(
                "client.id", "outbox-relay-admin", "default.api.timeout.ms", 30000, "request.timeout.ms", 10000)));
    }

    /**
     * Makes sure that a topic for events is there.
     *
     * @return what it takes
     * @throws KafkaException if it is not there and cannot be made, retriable or not
     */
    Limits ensureEvents(String topic) {
        return ensure(new NewTopic(topic, Optional.of(properties.partitions()), replication()));
    }

    /** Makes the topics that are known before their first event, as far as the relay may. */
    void ensureExpected() {
        if (!properties.createTopics()) {
            return;
        }
        for (String type : properties.aggregateTypes()) {
            try {
                ensureEvents(properties.topicPrefix() + type);
            } catch (RetriableException e) {
                throw e;
            } catch (KafkaException e) {
                // the first event of this type will say so again; others need not wait for it
                log.atWarn()
                        .addKeyValue("topic", properties.topicPrefix() + type)
                        .addKeyValue("cause", e.getClass().getSimpleName())
                        .log("topic cannot be made before its first event");
            }
        }
    }

    Limits ensureDeadLetters() {
        return ensure(new NewTopic(properties.deadLetterTopic(), Optional.of(1), replication())
                .configs(Map.of("retention.ms", "-1")));
    }

    Limits ensurePosition() {
        return ensure(new NewTopic(properties.positionTopic(), Optional.of(1), replication())
                .configs(Map.of(
                        "cleanup.policy",
                        "compact",
                        "segment.bytes",
                        "16777216",
                        "segment.ms",
                        "3600000",
                        "min.cleanable.dirty.ratio",
                        "0.1")));
    }

    /** Forgets what is known: a topic may have been deleted or changed. */
    void forget() {
        known.clear();
    }

    private Limits ensure(NewTopic topic) {
        Limits before = known.get(topic.name());
        if (before != null) {
            return before;
        }
        Limits limits;
        try {
            limits = describe(topic.name());
        } catch (UnknownTopicOrPartitionException missing) {
            if (!properties.createTopics()) {
                throw new UnknownTopicOrPartitionException("topic " + topic.name()
                        + " does not exist and relay.kafka.create-topics is false: create it, or set it to true");
            }
            create(topic);
            limits = describe(topic.name());
        }
        known.put(topic.name(), limits);
        return limits;
    }

    private void create(NewTopic topic) {
        try {
            admin.createTopics(List.of(topic)).all().get();
            log.atInfo().addKeyValue("topic", topic.name()).log("topic created");
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw kafka(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    private Limits describe(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            // the configuration of a missing topic is an answer on some brokers; the description never is
            admin.describeTopics(Set.of(topic)).allTopicNames().get();
            Config config = admin.describeConfigs(Set.of(resource)).all().get().get(resource);
            return new Limits(number(config, "max.message.bytes"), number(config, "retention.ms"));
        } catch (ExecutionException e) {
            throw kafka(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    private static long number(@Nullable Config config, String name) {
        ConfigEntry entry = config == null ? null : config.get(name);
        long value = entry == null ? -1 : Long.parseLong(entry.value());
        return value < 0 ? Long.MAX_VALUE : value;
    }

    private Optional<Short> replication() {
        return properties.replicationFactor() < 1 ? Optional.empty() : Optional.of(properties.replicationFactor());
    }

    private static KafkaException kafka(ExecutionException e) {
        return e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }

    /**
     * What a topic takes.
     *
     * @param maxMessageBytes the largest record batch
     * @param retentionMillis how old a record may be, by its timestamp, before Kafka deletes it
     */
    record Limits(long maxMessageBytes, long retentionMillis) {}
}
