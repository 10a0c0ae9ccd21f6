package dev.signups.loadtests.signup;

import java.time.Duration;
import java.util.Arrays;

/** What became of each arrival of a load. Latency counts from when the request was due, not from when it was sent. */
public final class Measurement {

    static final int DROPPED = -1;
    static final int INTERRUPTED = -2;
    /** In place of a status where the connection failed. */
    public static final int NO_ANSWER = 0;

    private static final int CREATED = 201;

    private final Load load;
    private final long[] nanos;
    private final int[] statuses;
    private final int maxUsers;
    private final long[] sorted;

    Measurement(Load load, long[] nanos, int[] statuses, int maxUsers) {
        this.load = load;
        this.nanos = nanos;
        this.statuses = statuses;
        this.maxUsers = maxUsers;
        long[] answered = new long[statuses.length];
        int count = 0;
        for (int i = 0; i < statuses.length; i++) {
            if (statuses[i] >= 0) {
                answered[count++] = nanos[i];
            }
        }
        this.sorted = Arrays.copyOf(answered, count);
        Arrays.sort(sorted);
    }

    /** What was asked for. */
    public Load load() {
        return load;
    }

    /** Requests that were sent. */
    public int requests() {
        return statuses.length - dropped();
    }

    /** Arrivals for which no virtual user was free. */
    public int dropped() {
        return count(DROPPED);
    }

    /** Requests that had no answer when the grace was over. */
    public int interrupted() {
        return count(INTERRUPTED);
    }

    /** Answers of 201. */
    public int ok() {
        return count(CREATED);
    }

    /** Requests with an answer or a broken connection. */
    public int answered() {
        return sorted.length;
    }

    /** Requests answered with anything but 201, or whose connection failed. */
    public int failed() {
        return answered() - ok();
    }

    /** Share of the answered requests that failed, in per cent. */
    public double errorPercent() {
        return answered() == 0 ? Double.NaN : 100.0 * failed() / answered();
    }

    /** Most requests that waited at the same moment: the virtual users that this rate needs. */
    public int maxUsers() {
        return maxUsers;
    }

    /** Of the answered requests, in milliseconds. */
    public double percentile(double percent) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int index = (int) Math.ceil(percent / 100 * sorted.length) - 1;
        return sorted[Math.clamp(index, 0, sorted.length - 1)] / 1e6;
    }

    /** Answers in each second since the first arrival, up to the last answer. */
    public int[] answersBySecond() {
        long last = 0;
        for (int i = 0; i < statuses.length; i++) {
            if (statuses[i] >= 0) {
                last = Math.max(last, due(i) + nanos[i]);
            }
        }
        int[] seconds = new int[(int) (last / 1_000_000_000L) + 1];
        for (int i = 0; i < statuses.length; i++) {
            if (statuses[i] >= 0) {
                seconds[(int) ((due(i) + nanos[i]) / 1_000_000_000L)]++;
            }
        }
        return seconds;
    }

    /** Answers a second while requests arrived, less the first seconds, in which nothing can have been answered. */
    public double answersPerSecond(Duration leftOut) {
        long from = leftOut.toNanos();
        long to = load.duration().toNanos();
        int count = 0;
        for (int i = 0; i < statuses.length; i++) {
            long end = due(i) + nanos[i];
            if (statuses[i] >= 0 && end >= from && end < to) {
                count++;
            }
        }
        return count * 1e9 / (to - from);
    }

    /** A line for people. */
    public String summary() {
        return "%d requests, %.1f %% failed, %d dropped, %d interrupted, p50 %.1f p95 %.1f p99 %.1f ms, %d users"
                .formatted(
                        requests(),
                        errorPercent(),
                        dropped(),
                        interrupted(),
                        percentile(50),
                        percentile(95),
                        percentile(99),
                        maxUsers);
    }

    private long due(int index) {
        return OpenLoad.dueNanos(load, index);
    }

    private int count(int status) {
        int count = 0;
        for (int each : statuses) {
            if (each == status) {
                count++;
            }
        }
        return count;
    }
}
