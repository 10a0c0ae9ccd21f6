package dev.signups.fakeemail.send;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Message ids: unique in one run, and not to be guessed from one another by eye. */
@Component
class MessageIds {

    private final AtomicLong next = new AtomicLong(ThreadLocalRandom.current().nextLong());

    String next() {
        return "msg_" + HexFormat.of().toHexDigits(scrambled(next.getAndIncrement()));
    }

    /** A bijection, so that different numbers stay different. */
    private static long scrambled(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
