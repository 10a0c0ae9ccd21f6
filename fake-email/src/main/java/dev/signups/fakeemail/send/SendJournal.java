package dev.signups.fakeemail.send;

import dev.signups.fakeemail.log.Result;
import dev.signups.fakeemail.log.Send;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** One log line and one count per send; neither holds an address. */
@Component
class SendJournal {

    private static final Logger log = LoggerFactory.getLogger(SendJournal.class);

    private final InstantSource clock;
    private final Map<Result, Counter> requests = new EnumMap<>(Result.class);
    private final Timer duration;
    private final AtomicInteger held = new AtomicInteger();

    SendJournal(MeterRegistry meters, InstantSource clock) {
        this.clock = clock;
        for (Result result : Result.values()) {
            requests.put(
                    result,
                    Counter.builder("fake_email.requests")
                            .description("Sends ended, by result")
                            .tag("result", result.label())
                            .register(meters));
        }
        this.duration = Timer.builder("fake_email.send.duration")
                .description("From the arrival of a send to the end that was logged")
                .serviceLevelObjectives(
                        Duration.ofMillis(10),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5))
                .register(meters);
        meters.gauge("fake_email.in.flight", held);
    }

    void opened() {
        held.incrementAndGet();
    }

    void closed() {
        held.decrementAndGet();
    }

    void write(Send send, Result result, int status) {
        Duration took = Duration.between(send.arrivedAt(), clock.instant());
        Objects.requireNonNull(requests.get(result)).increment();
        duration.record(took);
        log.info("send result={} status={} ms={} key={}", result.label(), status, took.toMillis(), send.key());
    }
}
