package dev.signups.email.inbox;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where events come from.
 *
 * @param topic topic of the user events
 * @param group consumer group
 * @param groupProtocol classic or consumer
 * @param instanceId name for static membership, unique in the group; empty: dynamic
 * @param sessionTimeout after which a dead member's partitions go to others (classic protocol; the broker's setting
 *     rules in the other)
 * @param batch records in a batch, at most
 */
@Validated
@ConfigurationProperties("inbox")
record InboxProperties(
        @DefaultValue("outbox.event.user") @NotBlank String topic,
        @DefaultValue("email-consumer") @NotBlank String group,

        @DefaultValue("classic") @Pattern(regexp = "classic|consumer") String groupProtocol,

        @DefaultValue("") String instanceId,
        @DefaultValue("10s") @NotNull Duration sessionTimeout,
        @DefaultValue("500") @Min(1) @Max(5000) int batch) {}
