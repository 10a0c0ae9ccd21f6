package dev.signups.email.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/** C, as a count of what may still be taken on. */
final class Permits {

    private final int total;
    private final AtomicInteger free;

    Permits(int total) {
        this.total = total;
        this.free = new AtomicInteger(total);
    }

    /** Takes as many as there are, at most this many. */
    int takeUpTo(int wanted) {
        int before = free.getAndUpdate(n -> n - Math.min(n, wanted));
        return Math.min(before, wanted);
    }

    void release(int count) {
        int now = free.addAndGet(count);
        if (now > total) {
            throw new IllegalStateException("released more permits than were taken");
        }
    }

    int free() {
        return free.get();
    }

    int taken() {
        return total - free.get();
    }
}
