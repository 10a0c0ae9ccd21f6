package dev.signups.service.outbox;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How events are written and how long they are kept.
 *
 * @param concurrency transactions at once; below the pool's size, so that reads and health checks find a connection
 * @param timeLimit how long a transaction may take, waiting for a connection included, before its request is refused
 * @param retention how long a published row is kept for replay and audit
 * @param purgeInterval pause between two looks for rows past their retention
 * @param purgeBatch rows that one transaction deletes
 * @param slot the relay's replication slot, whose position tells what is published
 */
@Validated
@ConfigurationProperties("signup.outbox")
record OutboxProperties(
        @DefaultValue("12") @Min(1) int concurrency,

        @DefaultValue("1800ms") @DurationMin(millis = 100) @DurationMax(minutes = 1)
        Duration timeLimit,

        @DefaultValue("7d") @DurationMin(nanos = 0) Duration retention,
        @DefaultValue("10s") @DurationMin(millis = 10) Duration purgeInterval,
        @DefaultValue("1000") @Min(1) @Max(100_000) int purgeBatch,
        @DefaultValue("outbox_relay") String slot) {}
