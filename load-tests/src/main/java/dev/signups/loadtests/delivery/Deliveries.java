package dev.signups.loadtests.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Events by the address they ask an e-mail for, and what the provider saw of them; times in microseconds since the epoch.
 *
 * @param created when each was committed
 * @param sends what the provider saw
 */
record Deliveries(Map<String, Long> created, Map<String, Provider.Send> sends) {

    private static final double MICROS = 1e6;

    long events() {
        return created.size();
    }

    long acceptedUnique() {
        return acceptances().count();
    }

    long missing() {
        return events() - acceptedUnique();
    }

    long duplicates() {
        return sends.values().stream()
                .mapToLong(send -> Math.max(0, send.accepted() - 1))
                .sum();
    }

    long firstCreated() {
        return created.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    long lastCreated() {
        return created.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    long firstRequest() {
        return sends.values().stream()
                .mapToLong(Provider.Send::firstRequest)
                .min()
                .orElse(0);
    }

    /** Unique acceptances a second between two times. */
    double acceptedPerSecond(long from, long to) {
        return acceptances().filter(at -> at >= from && at < to).count() * MICROS / (to - from);
    }

    /** The time at which a share of all events was accepted; NaN if that share never was. */
    double acceptedBy(double share) {
        long[] times = acceptances().sorted().toArray();
        int index = (int) Math.ceil(share * events()) - 1;
        return index < times.length ? times[Math.max(0, index)] : Double.NaN;
    }

    /** Seconds from the last event until a share of all was accepted. */
    double secondsAfterLast(double share) {
        return Math.max(0, (acceptedBy(share) - lastCreated()) / MICROS);
    }

    /** Percentile of the time from commit to first request, of the events committed between two times. */
    double firstRequestMillis(double percent, long from, long to) {
        double[] millis = created.entrySet().stream()
                .filter(event -> event.getValue() >= from && event.getValue() < to)
                .mapToDouble(event -> {
                    Provider.Send send = sends.get(event.getKey());
                    return send == null ? Double.POSITIVE_INFINITY : (send.firstRequest() - event.getValue()) / 1000.0;
                })
                .sorted()
                .toArray();
        return millis.length == 0 ? Double.NaN : millis[(int) Math.ceil(percent / 100 * millis.length) - 1];
    }

    /** Most events at one time that were committed and not yet accepted. */
    long maxLag() {
        return depths(100_000).stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Mean of what was committed and not yet accepted, between two times after the first event, in seconds. */
    double meanDepth(int fromSecond, int toSecond) {
        List<Long> depths = depths(1_000_000);
        return depths.subList(Math.min(fromSecond, depths.size()), Math.min(toSecond, depths.size())).stream()
                .mapToLong(Long::longValue)
                .average()
                .orElse(Double.NaN);
    }

    /** Writes depth, a line a second. */
    void writeDepths(Path file) throws IOException {
        StringBuilder text = new StringBuilder("second,depth\n");
        List<Long> depths = depths(1_000_000);
        for (int i = 0; i < depths.size(); i++) {
            text.append(i).append(',').append(depths.get(i)).append('\n');
        }
        Files.writeString(file, text);
    }

    private List<Long> depths(long stepMicros) {
        long[] in =
                created.values().stream().mapToLong(Long::longValue).sorted().toArray();
        long[] out = acceptances().sorted().toArray();
        List<Long> depths = new ArrayList<>();
        if (in.length == 0) {
            return depths;
        }
        long end = Math.max(in[in.length - 1], out.length == 0 ? 0 : out[out.length - 1]) + stepMicros;
        for (long at = in[0]; at <= end; at += stepMicros) {
            depths.add((long) upTo(in, at) - upTo(out, at));
        }
        return depths;
    }

    private static int upTo(long[] sorted, long value) {
        int index = Arrays.binarySearch(sorted, value + 1);
        return index < 0 ? -index - 1 : index;
    }

    private LongStream acceptances() {
        return created.keySet().stream()
                .map(sends::get)
                .filter(send -> send != null && send.accepted() > 0)
                .mapToLong(Provider.Send::firstAccepted);
    }
}
