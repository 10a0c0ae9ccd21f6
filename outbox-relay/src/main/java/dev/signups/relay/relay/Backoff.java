package dev.signups.relay.relay;

import java.time.Duration;

/** Doubles from a first wait to ten times as much. */
final class Backoff {

    private final Duration first;
    private Duration next;

    Backoff(Duration first) {
        this.first = first;
        this.next = first;
    }

    Duration next() {
        Duration now = next;
        Duration limit = first.multipliedBy(10);
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(limit) > 0 ? limit : doubled;
        return now;
    }

    void reset() {
        next = first;
    }
}
