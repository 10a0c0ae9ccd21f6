package dev.signups.relay.engine;

import dev.signups.relay.change.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands changes from Debezium's streaming thread to its polling thread: bounded by count and by memory, and waking the
 * one as soon as the other has something, where Debezium's own queue looks at intervals.
 *
 * <p>Debezium makes its connector and task itself, from class names; a feed is found by the id in their configuration.
 */
final class ChangeFeed {

    /** Name of the property that carries the id. */
    static final String PROPERTY = "relay.feed";

    private static final Map<String, ChangeFeed> BY_ID = new ConcurrentHashMap<>();

    private final int maxRows;
    private final long maxWeight;
    private final int batchRows;
    private final long confirmNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private long weight;
    /** Changes after the last end of a transaction. */
    private int open;

    private boolean full;
    private boolean closed;

    private volatile long confirmable;
    private long confirmed;
    private long confirmedAt = System.nanoTime() - TimeUnit.HOURS.toNanos(1);

    ChangeFeed(int maxRows, long maxWeight, int batchRows, Duration confirmInterval) {
        this.maxRows = maxRows;
        this.maxWeight = maxWeight;
        this.batchRows = batchRows;
        this.confirmNanos = confirmInterval.toNanos();
    }

    static void register(String id, ChangeFeed feed) {
        BY_ID.put(id, feed);
    }

    static ChangeFeed byId(@Nullable String id) {
        ChangeFeed feed = id == null ? null : BY_ID.get(id);
        if (feed == null) {
            throw new IllegalStateException(PROPERTY + " names no feed");
        }
        return feed;
    }

    void unregister() {
        BY_ID.values().remove(this);
    }

    void put(Change change) throws InterruptedException {
        int size = weigh(change);
        lock.lockInterruptibly();
        try {
            while (!closed && !changes.isEmpty() && (changes.size() >= maxRows || weight + size > maxWeight)) {
                full = true;
                filled.signal();
                drained.await();
            }
            changes.add(change);
            weight += size;
            open = change instanceof Change.End || change instanceof Change.Mark ? 0 : open + 1;
            if (isReady()) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next changes, at once if a transaction is complete or a batch is; else what has come within the wait. Whole
     * transactions where that is possible: a part of one would cost a Kafka transaction of its own, and so would its end.
     */
    List<Change> take(Duration wait) throws InterruptedException {
        long left = wait.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isReady() && left > 0 && !closed) {
                left = filled.awaitNanos(left);
            }
            int count = closed ? 0 : Math.min(changes.size(), batchRows);
            if (count == changes.size() && open < count) {
                count -= open;
            }
            List<Change> batch = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                Change change = changes.remove();
                weight -= weigh(change);
                batch.add(change);
            }
            open = Math.min(open, changes.size());
            full = false;
            drained.signal();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private boolean isReady() {
        return full || changes.size() > open || changes.size() >= batchRows;
    }

    void confirm(long lsn) {
        if (lsn != 0) {
            confirmable = lsn;
        }
    }

    /** The LSN to tell the server now, or 0: it is told at intervals, because each telling costs it a write. */
    long confirmationDue() {
        long now = System.nanoTime();
        long lsn = confirmable;
        if (lsn == confirmed || now - confirmedAt < confirmNanos) {
            return 0;
        }
        confirmedAt = now;
        confirmed = lsn;
        return lsn;
    }

    /** The LSN that the server was not told yet, at the end. */
    long confirmationLeft() {
        return confirmable == confirmed ? 0 : confirmable;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static int weigh(Change change) {
        return change instanceof Change.Row row ? row.row().weight() : 64;
    }
}
