package dev.signups.relay.publish;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How events are published.
 *
 * @param bootstrapServers the Kafka cluster
 * @param topicPrefix a row's topic is this and its `aggregatetype`
 * @param positionTopic compacted topic of one partition that holds the published position
 * @param deadLetterTopic topic of the rows that cannot be published
 * @param partitions of a topic that the relay makes
 * @param replicationFactor of a topic that the relay makes; -1 is the broker's default
 * @param aggregateTypes whose topics are made at the start already, so that subscribers find them before the first event
 * @param createTopics whether the relay makes missing topics; if not, it waits for them
 * @param source the events' `ce_source`
 * @param maxRecordSize a larger event is a dead letter; the topic's `max.message.bytes` bounds it as well
 * @param transactionalId fences relays of the same outbox against each other; by default made of the slot's name
 * @param transactionGap shortest time between two Kafka transactions: back to back, the second waits for the broker to
 *     finish the first
 * @param retryInterval wait between two tries while Kafka cannot be reached, growing to ten times as much
 * @param properties more of the Kafka clients' properties, which win over all others
 */
@Validated
@ConfigurationProperties("relay.kafka")
public record PublishProperties(
        @DefaultValue("127.0.0.1:19092") @NotBlank String bootstrapServers,
        @DefaultValue("outbox.event.") String topicPrefix,
        @DefaultValue("outbox.relay.position") @NotBlank String positionTopic,
        @DefaultValue("outbox.dead-letter") @NotBlank String deadLetterTopic,
        @DefaultValue("12") @Min(1) int partitions,
        @DefaultValue("-1") short replicationFactor,
        @DefaultValue("user") List<String> aggregateTypes,
        @DefaultValue("true") boolean createTopics,
        @DefaultValue("/signup-service") @NotBlank String source,
        @DefaultValue("1MB") DataSize maxRecordSize,
        @Nullable String transactionalId,
        @DefaultValue("2ms") Duration transactionGap,
        @DefaultValue("500ms") Duration retryInterval,
        @Nullable Map<String, String> properties) {

    public PublishProperties {
        aggregateTypes = List.copyOf(aggregateTypes);
    }

    /**
     * The Kafka clients' configuration.
     *
     * @param own what the relay decides
     */
    public Map<String, Object> clients(Map<String, Object> own) {
        Map<String, Object> all = new java.util.HashMap<>();
        all.put("bootstrap.servers", bootstrapServers);
        all.put("reconnect.backoff.max.ms", 2000);
        all.putAll(own);
        if (properties != null) {
            all.putAll(properties);
        }
        return all;
    }
}
