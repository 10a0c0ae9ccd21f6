package dev.signups.loadtests.signup;

import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * An open model: requests arrive at a constant rate whatever becomes of the ones before. A late answer delays no other
 * arrival, and a request that is sent late counts from when it was due, so nothing is omitted.
 */
public final class OpenLoad {

    /** One request. */
    public interface Request {

        /**
         * Sends it and waits for the answer.
         *
         * @param number of the arrival, from 0
         * @return the status, where 201 is success
         */
        int send(int number) throws Exception;
    }

    private final Load load;
    private final Request request;
    private final long[] nanos;
    private final AtomicIntegerArray statuses;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger maxUsers = new AtomicInteger();

    private OpenLoad(Load load, Request request) {
        this.load = load;
        this.request = request;
        this.nanos = new long[load.arrivals()];
        int[] unanswered = new int[nanos.length];
        Arrays.fill(unanswered, Measurement.INTERRUPTED);
        this.statuses = new AtomicIntegerArray(unanswered);
    }

    /** Runs the load to its end. */
    public static Measurement run(Load load, Request request) throws InterruptedException {
        return new OpenLoad(load, request).run();
    }

    static long dueNanos(Load load, int number) {
        return Math.round(number * 1e9 / load.rate());
    }

    private Measurement run() throws InterruptedException {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        long start = System.nanoTime();
        for (int i = 0; i < nanos.length; i++) {
            int number = i;
            long due = start + dueNanos(load, i);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            if (users.get() >= load.maxUsers()) {
                statuses.set(i, Measurement.DROPPED);
            } else {
                maxUsers.accumulateAndGet(users.incrementAndGet(), Math::max);
                threads.execute(() -> send(number, due));
            }
        }
        threads.shutdown();
        if (!threads.awaitTermination(load.grace().toMillis(), TimeUnit.MILLISECONDS)) {
            int[] atTheEnd = snapshot();
            threads.shutdownNow();
            boolean _ = threads.awaitTermination(10, TimeUnit.SECONDS);
            return new Measurement(load, nanos, atTheEnd, maxUsers.get());
        }
        return new Measurement(load, nanos, snapshot(), maxUsers.get());
    }

    private void send(int number, long due) {
        int status;
        try {
            status = request.send(number);
        } catch (Exception e) {
            status = Measurement.NO_ANSWER;
        }
        nanos[number] = System.nanoTime() - due;
        statuses.set(number, status);
        users.decrementAndGet();
    }

    private int[] snapshot() {
        int[] copy = new int[statuses.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = statuses.get(i);
        }
        return copy;
    }
}
