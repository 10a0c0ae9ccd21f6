package dev.signups.service.id;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, 12 bits that count within one, 62 random bits.
 *
 * <p>Each is greater than the one before it from the same process, also when the clock is set back; between processes
 * the order is as good as their clocks. More than 4096 in a millisecond borrow from the next one.
 */
@Component
public class TimeOrderedIds {

    private static final int COUNTER_BITS = 12;
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong last = new AtomicLong();

    public TimeOrderedIds(InstantSource clock) {
        this.clock = clock;
    }

    public UUID next() {
        long now = clock.millis() << COUNTER_BITS;
        long ticket = last.updateAndGet(previous -> Math.max(previous + 1, now));
        long milliseconds = ticket >>> COUNTER_BITS;
        long counter = ticket & ((1L << COUNTER_BITS) - 1);
        return new UUID(milliseconds << 16 | VERSION_7 | counter, VARIANT | random.nextLong() >>> 2);
    }
}
