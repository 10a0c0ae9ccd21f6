package dev.signups.email.delivery;

import dev.signups.email.provider.SendOutcome;
import dev.signups.email.provider.SendOutcome.Accepted;
import dev.signups.email.provider.SendOutcome.Doubt;
import dev.signups.email.provider.SendOutcome.Permanent;
import dev.signups.email.provider.SendOutcome.Retriable;
import dev.signups.email.provider.SendOutcome.Throttled;
import dev.signups.email.provider.SendOutcome.Unauthorised;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Says whether the provider may be called now. Shut while an operator has paused sending, while the provider wants no
 * calls (429), while it refuses our credential (401, 403), and while the circuit breaker is open.
 *
 * <p>While it is shut for the credential or the breaker, a few deliveries are let through as probes: their failures
 * burn no attempt, their success opens the gate.
 */
@Component
class SendingGate {

    private static final Logger log = LoggerFactory.getLogger(SendingGate.class);

    private final CircuitBreaker breaker;
    private final FailureStreak streak;
    private final long credentialProbeNanos;

    private volatile boolean paused;
    private volatile boolean closing;
    private volatile @Nullable Long throttledUntil;
    private volatile @Nullable String refusedCredential;
    private volatile long nextCredentialProbe;

    SendingGate(DeliveryProperties properties) {
        DeliveryProperties.Breaker settings = properties.breaker();
        this.streak = new FailureStreak(settings.consecutiveFailures());
        this.credentialProbeNanos = properties.credentialProbe().toNanos();
        this.breaker = CircuitBreaker.of(
                "provider",
                CircuitBreakerConfig.custom()
                        .slidingWindow(
                                Math.toIntExact(settings.window().toSeconds()),
                                settings.minimumCalls(),
                                CircuitBreakerConfig.SlidingWindowType.TIME_BASED)
                        .failureRateThreshold(settings.failureRate())
                        .slowCallRateThreshold(100)
                        .slowCallDurationThreshold(Duration.ofDays(1))
                        .waitDurationInOpenState(settings.openWait())
                        .permittedNumberOfCallsInHalfOpenState(settings.probes())
                        // a probe that never comes back must not hold the breaker half-open for good
                        .maxWaitDurationInHalfOpenState(Duration.ofMinutes(2))
                        .build());
        breaker.getEventPublisher()
                .onStateTransition(event -> log.atWarn()
                        .addKeyValue("from", event.getStateTransition().getFromState())
                        .addKeyValue("to", event.getStateTransition().getToState())
                        .log("circuit breaker of the provider"));
    }

    /** A right to call. A probe's failure does not count. */
    enum Entry {
        ORDINARY,
        PROBE
    }

    /** Whether ordinary sending goes on. */
    boolean isOpen() {
        return !closing
                && !paused
                && throttledFor().isZero()
                && refusedCredential == null
                && breaker.getState() == CircuitBreaker.State.CLOSED;
    }

    /** Whether probes are all that may go: then there must be something to probe with. */
    boolean isProbing() {
        return !closing
                && !paused
                && throttledFor().isZero()
                && (refusedCredential != null || breaker.getState() != CircuitBreaker.State.CLOSED);
    }

    /** Takes the right to at most this many probes; each must be used or returned. */
    int takeProbes(int most) {
        if (!isProbing() || most == 0) {
            return 0;
        }
        if (refusedCredential != null) {
            if (System.nanoTime() - nextCredentialProbe < 0 || !breaker.tryAcquirePermission()) {
                return 0;
            }
            nextCredentialProbe = System.nanoTime() + credentialProbeNanos;
            return 1;
        }
        int taken = 0;
        while (taken < most && breaker.tryAcquirePermission()) {
            taken++;
        }
        return taken;
    }

    void returnProbes(int count) {
        for (int i = 0; i < count; i++) {
            breaker.releasePermission();
        }
        if (count > 0 && refusedCredential != null) {
            nextCredentialProbe = System.nanoTime();
        }
    }

    /** The right to call now, or null. A delivery that was claimed as a probe brings its right along. */
    @Nullable Entry enter(boolean probe) {
        if (closing || paused || !throttledFor().isZero() || (refusedCredential != null && !probe)) {
            if (probe) {
                breaker.releasePermission();
            }
            return null;
        }
        if (probe) {
            return Entry.PROBE;
        }
        if (!breaker.tryAcquirePermission()) {
            return null;
        }
        return breaker.getState() == CircuitBreaker.State.CLOSED ? Entry.ORDINARY : Entry.PROBE;
    }

    /** Every entered call ends here, with what the provider said. */
    void record(DeliveryId delivery, SendOutcome outcome, long nanos) {
        switch (outcome) {
            case Accepted accepted -> reached(nanos);
            case Permanent permanent -> reached(nanos);
            case Retriable retriable when retriable.doubt() == Doubt.IN_PROGRESS -> breaker.releasePermission();
            case Retriable retriable -> failed(delivery, nanos);
            case Throttled throttled -> {
                breaker.releasePermission();
                throttle(throttled.retryAfter());
            }
            case Unauthorised unauthorised -> {
                breaker.releasePermission();
                if (refusedCredential == null) {
                    nextCredentialProbe = System.nanoTime() + credentialProbeNanos;
                    log.error(
                            "the provider refuses our credential ({}); sending stops until it accepts",
                            unauthorised.reason());
                }
                refusedCredential = unauthorised.reason();
            }
        }
    }

    /** A call that ended in a fault of our own. */
    void recordBug() {
        breaker.releasePermission();
    }

    /** No calls for at least this long. */
    void throttle(Duration wait) {
        Long now = System.nanoTime();
        Long until = now + wait.toNanos();
        Long present = throttledUntil;
        if (present == null || until - present > 0) {
            throttledUntil = until;
        }
    }

    Duration throttledFor() {
        Long until = throttledUntil;
        if (until == null) {
            return Duration.ZERO;
        }
        long left = until - System.nanoTime();
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    void pause(boolean pause) {
        paused = pause;
    }

    boolean isPaused() {
        return paused;
    }

    /** For good: this instance is stopping. */
    void close() {
        closing = true;
    }

    /** Forgets that the credential was refused: an operator says it is mended. */
    void credentialMended() {
        nextCredentialProbe = System.nanoTime();
    }

    /** What the provider said when it refused our credential; null while it accepts it. */
    @Nullable String refusedCredential() {
        return refusedCredential;
    }

    CircuitBreaker.State breakerState() {
        return breaker.getState();
    }

    private void failed(DeliveryId delivery, long nanos) {
        breaker.onError(nanos, TimeUnit.NANOSECONDS, new ProviderFailure());
        if (streak.isOutageWith(delivery) && breaker.getState() == CircuitBreaker.State.CLOSED) {
            breaker.transitionToOpenState();
        }
    }

    private void reached(long nanos) {
        streak.end();
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        if (refusedCredential != null) {
            refusedCredential = null;
            log.info("the provider accepts our credential again");
        }
    }

    /** Stands for any failure in the breaker's count. */
    private static final class ProviderFailure extends Exception {
        private static final long serialVersionUID = 1;

        ProviderFailure() {
            super("provider failed", null, false, false);
        }
    }
}
