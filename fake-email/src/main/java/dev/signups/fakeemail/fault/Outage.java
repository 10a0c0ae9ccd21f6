package dev.signups.fakeemail.fault;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A window in which every send is answered 503 at once; without an end it lasts until it is switched off. */
record Outage(Instant from, @Nullable Instant until) {

    static final Outage NONE = new Outage(Instant.MAX, null);

    boolean isOn(Instant now) {
        return !now.isBefore(from) && (until == null || now.isBefore(until));
    }

    boolean isAhead(Instant now) {
        return !from.equals(Instant.MAX) && now.isBefore(from);
    }

    /** Seconds still to go: of the whole window if it is ahead, of the rest if it is on; null when it has no end. */
    @Nullable Long secondsLeft(Instant now) {
        if (until == null || !(isOn(now) || isAhead(now))) {
            return null;
        }
        return secondsUp(Duration.between(isAhead(now) ? from : now, until));
    }

    @Nullable Long startsInSeconds(Instant now) {
        return isAhead(now) ? secondsUp(Duration.between(now, from)) : null;
    }

    private static long secondsUp(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }
}
