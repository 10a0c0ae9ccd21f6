package dev.signups.email.delivery;

import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The pace and the patience of sending.
 *
 * @param permits C: e-mails in flight at once, in this instance
 * @param attempts N: attempts before a delivery is given up
 * @param backoffBase longest wait after the first failed attempt; doubles with each
 * @param backoffCap longest wait after any
 * @param lease how long a claim holds without renewal: a crashed sender's rows are taken over after it
 * @param sweepInterval how often due rows are looked for
 * @param resultLinger how long results are collected before they are written together
 * @param drainTimeout how long a stop waits for sends in flight before it gives them back
 * @param keyRetention how long the provider remembers an idempotency key
 * @param credentialProbe how often one e-mail is tried while the provider refuses our credential
 * @param rateLimit calls per second, in this instance; 0: no limit
 * @param breaker when to leave a failing provider alone
 */
@Validated
@ConfigurationProperties("delivery")
record DeliveryProperties(
        @DefaultValue("1000") @Min(1) @Max(20_000) int permits,
        @DefaultValue("10") @Min(1) @Max(100) int attempts,
        @DefaultValue("1s") @NotNull Duration backoffBase,
        @DefaultValue("5m") @NotNull Duration backoffCap,
        @DefaultValue("30s") @NotNull Duration lease,
        @DefaultValue("100ms") @NotNull Duration sweepInterval,
        @DefaultValue("10ms") @NotNull Duration resultLinger,
        @DefaultValue("20s") @NotNull Duration drainTimeout,
        @DefaultValue("24h") @NotNull Duration keyRetention,
        @DefaultValue("10s") @NotNull Duration credentialProbe,
        @DefaultValue("0") @PositiveOrZero double rateLimit,
        @DefaultValue @Valid @NotNull Breaker breaker) {

    /**
     * The circuit breaker.
     *
     * @param failureRate share of failed calls that opens it, in percent
     * @param minimumCalls calls in the window below which it stays closed
     * @param window the last seconds that count
     * @param consecutiveFailures failures without a success between them that open it however few calls there are, if at
     *     least three e-mails had one
     * @param openWait time between two rounds of probes
     * @param probes e-mails in a round; their failures burn no attempt
     */
    record Breaker(
            @DefaultValue("60") @Min(1) @Max(100) int failureRate,
            @DefaultValue("50") @Min(1) int minimumCalls,
            @DefaultValue("10s") @NotNull Duration window,
            @DefaultValue("12") @Min(1) int consecutiveFailures,
            @DefaultValue("5s") @NotNull Duration openWait,
            @DefaultValue("5") @Min(1) @Max(100) int probes) {}

    @AssertTrue(message = "delivery.result-linger must be at most 50 ms, delivery.sweep-interval at most 500 ms") boolean isPrompt() {
        return resultLinger.toMillis() <= 50 && sweepInterval.isPositive() && sweepInterval.toMillis() <= 500;
    }

    @AssertTrue(message = "delivery.lease must be at least 1s") boolean isLeaseLong() {
        return lease.toMillis() >= 1000;
    }

    @AssertTrue(message = "delivery.key-retention must be more than twice delivery.lease") boolean isKeyKeptLongEnough() {
        return keyRetention.compareTo(lease.multipliedBy(2)) > 0;
    }

    @AssertTrue(message = "delivery.backoff-base must be positive and at most delivery.backoff-cap") boolean isBackoffOrdered() {
        return backoffBase.isPositive() && backoffBase.compareTo(backoffCap) <= 0;
    }

    @AssertTrue(message = "delivery.breaker.window and delivery.breaker.open-wait must be at least 1s") boolean isBreakerCalm() {
        return breaker.window.toSeconds() >= 1 && breaker.openWait.toMillis() >= 1000;
    }

    /** A request may still be on its way when the claim is a lease old: the window for resending ends before. */
    Duration resendWindow() {
        return keyRetention.minus(lease.multipliedBy(2));
    }
}
