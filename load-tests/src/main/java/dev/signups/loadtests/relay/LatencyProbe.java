package dev.signups.loadtests.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Writes at a fixed pace and measures, in this process and by its one clock, from the return of a row's commit to the
 * row's arrival at a {@code read_committed} reader. That is later than the producer's acknowledgement by the broker's
 * making it visible and a fetch, for all contenders alike.
 */
final class LatencyProbe {

    /**
     * @param rate rows per second that were committed
     * @param p50 milliseconds
     * @param p99 milliseconds
     * @param missing rows that had not arrived some seconds after the last commit
     */
    record Latency(double rate, double p50, double p99, int missing) {

        /** @param took milliseconds, in ascending order */
        static Latency of(double rate, double[] took, int missing) {
            return took.length == 0
                    ? new Latency(rate, Double.NaN, Double.NaN, missing)
                    : new Latency(rate, took[took.length / 2], took[(int) (took.length * 0.99)], missing);
        }

        /** The lesser of both percentiles' ratios. */
        double timesBetterThan(Latency other) {
            return Math.min(other.p50 / p50, other.p99 / p99);
        }
    }

    private final Stand stand;
    private final String table;
    private final AtomicInteger next;

    /** @param next the first number not yet used, here and after this */
    LatencyProbe(Stand stand, String table, AtomicInteger next) {
        this.stand = stand;
        this.table = table;
        this.next = next;
    }

    /**
     * @param topic where the rows arrive
     * @param rate rows per second
     * @param rowsPerCommit rows of a transaction
     */
    Latency measure(Topic topic, int rate, int rowsPerCommit, Duration time)
            throws InterruptedException, ExecutionException {
        int first = next.get();
        int total = Math.ceilDiv(Math.toIntExact(rate * time.toMillis() / 1000), rowsPerCommit) * rowsPerCommit;
        AtomicLongArray committed = new AtomicLongArray(total);
        AtomicLongArray arrived = new AtomicLongArray(total);
        AtomicBoolean reading = new AtomicBoolean(true);
        int threads = Math.clamp(rate / rowsPerCommit / 200, 1, 8);
        try (ExecutorService executor = Executors.newCachedThreadPool();
                KafkaConsumer<byte[], byte[]> consumer = topic.reader(true)) {
            AtomicInteger left = new AtomicInteger(total);
            Future<?> reader = executor.submit(() -> {
                while (left.get() > 0 && reading.get()) {
                    var records = consumer.poll(Duration.ofMillis(100));
                    long now = System.nanoTime();
                    records.forEach(record -> {
                        int index = Topic.number(record) - first;
                        if (index >= 0 && arrived.compareAndSet(index, 0, now)) {
                            left.decrementAndGet();
                        }
                    });
                }
            });
            double written;
            try {
                long begin = System.nanoTime() + 50_000_000;
                List<Future<Void>> writers = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    writers.add(
                            executor.submit(writer(t, threads, total, rate, rowsPerCommit, begin, committed, first)));
                }
                for (Future<Void> writer : writers) {
                    writer.get();
                }
                written = total / ((System.nanoTime() - begin) / 1e9);
                next.set(first + total);
                long deadline = System.nanoTime() + 5_000_000_000L;
                while (left.get() > 0 && System.nanoTime() < deadline) {
                    Thread.sleep(10);
                }
            } finally {
                // a writer that failed must not leave the reader waiting
                reading.set(false);
            }
            reader.get();
            return latency(written, committed, arrived);
        }
    }

    private static Latency latency(double rate, AtomicLongArray committed, AtomicLongArray arrived) {
        double[] took = IntStream.range(0, arrived.length())
                .filter(i -> arrived.get(i) != 0)
                // the server may send a row before its client has heard of the commit
                .mapToDouble(i -> Math.max(0, (arrived.get(i) - committed.get(i)) / 1e6))
                .sorted()
                .toArray();
        return Latency.of(rate, took, arrived.length() - took.length);
    }

    private Callable<Void> writer(
            int thread,
            int threads,
            int total,
            int rate,
            int rowsPerCommit,
            long begin,
            AtomicLongArray committed,
            int first) {
        return () -> {
            try (Connection connection = stand.connect();
                    PreparedStatement insert = connection.prepareStatement(insert())) {
                for (int i = thread * rowsPerCommit; i < total; i += threads * rowsPerCommit) {
                    awaitTurn(begin, i, rate);
                    insert(insert, first + i, rowsPerCommit, "load-" + thread + "-" + i / threads % 50);
                    long now = System.nanoTime();
                    for (int n = i; n < i + rowsPerCommit; n++) {
                        committed.set(n, now);
                    }
                }
            }
            return null;
        };
    }

    /** Waits until the i-th of so many a second is due. */
    static void awaitTurn(long begin, int i, int rate) {
        long due = begin + (long) (i * 1e9 / rate);
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }

    /** Writes without a pace until told to stop: one to three rows a commit, and some are rolled back. */
    Callable<Void> writeUntil(AtomicBoolean stop, int writer) {
        return () -> {
            Random random = new Random(writer);
            try (Connection connection = stand.connect();
                    PreparedStatement insert = connection.prepareStatement(insert())) {
                connection.setAutoCommit(false);
                while (!stop.get()) {
                    int rows = 1 + random.nextInt(3);
                    insert(insert, next.getAndAdd(rows), rows, "kill-" + writer + "-" + random.nextInt(20));
                    if (random.nextInt(20) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                    }
                    LockSupport.parkNanos(2_000_000);
                }
            }
            return null;
        };
    }

    private String insert() {
        return "insert into " + table + " (id, aggregatetype, aggregateid, type, payload)"
                + " select gen_random_uuid(), 'user', ?, 'UserSignedUp', " + Stand.payload("n")
                + " from generate_series(?, ?) n";
    }

    private static void insert(PreparedStatement insert, int from, int rows, String key) throws SQLException {
        insert.setString(1, key);
        insert.setInt(2, from);
        insert.setInt(3, from + rows - 1);
        insert.executeUpdate();
    }
}
