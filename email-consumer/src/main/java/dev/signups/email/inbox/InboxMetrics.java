package dev.signups.email.inbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts records: {@code consumed = inserted + duplicate + bad + skipped}. */
@Component
class InboxMetrics {

    private final Counter consumed;
    private final Counter inserted;
    private final Counter duplicate;
    private final Counter bad;
    private final Counter skipped;
    private final Counter badRecords;

    InboxMetrics(MeterRegistry registry) {
        this.consumed = Counter.builder("email.events.consumed")
                .description("Records taken from Kafka and dealt with")
                .register(registry);
        this.inserted = taken(registry, "inserted");
        this.duplicate = taken(registry, "duplicate");
        this.bad = taken(registry, "bad");
        this.skipped = taken(registry, "skipped");
        this.badRecords = Counter.builder("email.bad.records")
                .description("Records that could not be read")
                .register(registry);
    }

    private static Counter taken(MeterRegistry registry, String result) {
        return Counter.builder("email.events")
                .description("Records dealt with, by what they were")
                .tag("result", result)
                .register(registry);
    }

    void batch(int all, int fresh, int unreadable, int unknown) {
        consumed.increment(all);
        inserted.increment(fresh);
        bad.increment(unreadable);
        badRecords.increment(unreadable);
        skipped.increment(unknown);
        duplicate.increment(all - fresh - unreadable - unknown);
    }
}
