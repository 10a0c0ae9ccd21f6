package dev.signups.email.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: a random wait up to {@code base · 2^(attempt-1)}, at most the cap. With ten
 * attempts, 1 s and 5 min the last attempt comes after 7 minutes on average, 14 at most.
 */
final class RetrySchedule {

    private final int attempts;
    private final long baseMillis;
    private final long capMillis;
    private final RandomGenerator random;

    RetrySchedule(int attempts, Duration base, Duration cap, RandomGenerator random) {
        this.attempts = attempts;
        this.baseMillis = base.toMillis();
        this.capMillis = cap.toMillis();
        this.random = random;
    }

    boolean isLast(int attempt) {
        return attempt >= attempts;
    }

    Duration waitAfter(int attempt) {
        long ceiling = Math.min(capMillis, baseMillis << Math.min(Math.max(attempt - 1, 0), 30));
        return Duration.ofMillis(random.nextLong(ceiling + 1));
    }
}
