package dev.signups.email.delivery;

import java.util.concurrent.atomic.AtomicLong;

/** Spaces calls evenly: each caller is given the next free moment. No moment is saved up for a burst. */
final class RateLimit {

    private final long intervalNanos;
    private final AtomicLong next;

    /**
     * A limit.
     *
     * @param perSecond calls per second; 0: none
     * @param nanoTime now, by the clock that {@link #reserve} is asked by
     */
    RateLimit(double perSecond, long nanoTime) {
        this.intervalNanos = perSecond == 0 ? 0 : (long) (1e9 / perSecond);
        this.next = new AtomicLong(nanoTime);
    }

    /** Takes the next moment; returns the wait until it, in nanoseconds. */
    long reserve(long nanoTime) {
        if (intervalNanos == 0) {
            return 0;
        }
        long after = next.updateAndGet(at -> (at - nanoTime > 0 ? at : nanoTime) + intervalNanos);
        return after - intervalNanos - nanoTime;
    }
}
