package dev.signups.fakeemail;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that stands still until it is told to go on. */
public final class SettableClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-10-21T07:28:00.250Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void forward(Duration time) {
        now = now.plus(time);
    }
}
