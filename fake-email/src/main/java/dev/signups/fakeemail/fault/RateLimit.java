package dev.signups.fakeemail.fault;

import java.time.Instant;

/** Counts what was let in during the current second of the clock. */
final class RateLimit {

    private long second = Long.MIN_VALUE;
    private int taken;

    synchronized boolean tryAcquire(int perSecond, Instant now) {
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            taken = 0;
        }
        if (taken >= perSecond) {
            return false;
        }
        taken++;
        return true;
    }
}
