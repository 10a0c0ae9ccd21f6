package dev.signups.email.delivery;

import dev.signups.email.provider.SendOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Counts what senders do. {@code claims = results + in flight}, whatever happens. */
@Component
class DeliveryMetrics {

    private final MeterRegistry registry;
    private final Counter claims;
    private final DistributionSummary attempts;
    private final Timer latency;
    private final Timer firstRequest;
    private final Map<String, Counter> sends = new ConcurrentHashMap<>();
    private final Map<String, Counter> results = new ConcurrentHashMap<>();

    DeliveryMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.claims = Counter.builder("email.claims")
                .description("Deliveries taken by a sender")
                .register(registry);
        this.attempts = DistributionSummary.builder("email.attempts")
                .description("Attempts that a delivery took to its end, SENT or FAILED")
                .serviceLevelObjectives(1, 2, 3, 4, 5, 6, 8, 10)
                .register(registry);
        this.latency = Timer.builder("email.delivery.latency")
                .description("From the commit of the event to the provider's acceptance")
                .serviceLevelObjectives(
                        millis(100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 60_000, 120_000, 600_000))
                .register(registry);
        this.firstRequest = Timer.builder("email.first.request.latency")
                .description("From the commit of the event to the first request at the provider")
                .serviceLevelObjectives(millis(5, 10, 20, 30, 50, 100, 250, 1000, 10_000))
                .register(registry);
        for (String outcome : new String[] {"accepted", "retriable", "permanent", "throttled", "unauthorised"}) {
            sends(outcome);
        }
        for (String result : new String[] {"sent", "retry", "failed", "given_back"}) {
            results(result);
        }
    }

    void claimed(int count) {
        claims.increment(count);
    }

    void calling(Delivery delivery) {
        if (delivery.attempts() == 1 && delivery.certain()) {
            firstRequest.record(since(delivery.eventTime()));
        }
    }

    void called(SendOutcome outcome) {
        sends(outcome.label()).increment();
    }

    void written(Result result) {
        switch (result) {
            case Result.Sent sent -> {
                results("sent").increment();
                attempts.record(sent.delivery().attempts());
                latency.record(since(sent.delivery().eventTime()));
            }
            case Result.Retry retry ->
                results(retry.counted() ? "retry" : "given_back").increment();
            case Result.Failed failed -> {
                results("failed").increment();
                attempts.record(failed.delivery().attempts());
            }
        }
    }

    private Counter sends(String outcome) {
        return sends.computeIfAbsent(
                outcome,
                name -> Counter.builder("email.sends")
                        .description("Calls to the provider, by what it said")
                        .tag("outcome", name)
                        .register(registry));
    }

    private Counter results(String result) {
        return results.computeIfAbsent(
                result,
                name -> Counter.builder("email.results")
                        .description("What became of claimed deliveries")
                        .tag("result", name)
                        .register(registry));
    }

    private static Duration since(Instant start) {
        Duration passed = Duration.between(start, Instant.now());
        return passed.isNegative() ? Duration.ZERO : passed;
    }

    private static Duration[] millis(long... values) {
        Duration[] durations = new Duration[values.length];
        for (int i = 0; i < values.length; i++) {
            durations[i] = Duration.ofMillis(values[i]);
        }
        return durations;
    }
}
