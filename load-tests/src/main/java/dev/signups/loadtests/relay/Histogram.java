package dev.signups.loadtests.relay;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A histogram as a service publishes it for Prometheus.
 *
 * @param counts observations at or below each bound, in seconds
 */
record Histogram(NavigableMap<Double, Double> counts) {

    /** @param page the text of {@code /actuator/prometheus} */
    static Histogram parse(String page, String name) {
        NavigableMap<Double, Double> counts = new TreeMap<>();
        String prefix = name + "_bucket{";
        page.lines().filter(line -> line.startsWith(prefix)).forEach(line -> {
            int bound = line.indexOf("le=\"") + 4;
            String le = line.substring(bound, line.indexOf('"', bound));
            counts.put(
                    le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le),
                    Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
        });
        if (counts.isEmpty()) {
            throw new IllegalStateException("no " + name + " among the metrics");
        }
        return new Histogram(counts);
    }

    /** What was observed since {@code earlier}. */
    Histogram since(Histogram earlier) {
        NavigableMap<Double, Double> difference = new TreeMap<>();
        counts.forEach((bound, count) -> difference.put(bound, count - earlier.counts.getOrDefault(bound, 0.0)));
        return new Histogram(difference);
    }

    /** A quantile in milliseconds, linear within a bucket as in Prometheus' {@code histogram_quantile}; NaN if empty. */
    double quantileMillis(double quantile) {
        double rank = quantile * counts.lastEntry().getValue();
        double lowerBound = 0;
        double lowerCount = 0;
        for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
            double inBucket = bucket.getValue() - lowerCount;
            if (bucket.getValue() >= rank && inBucket > 0) {
                return Double.isInfinite(bucket.getKey())
                        ? lowerBound * 1000
                        : 1000 * (lowerBound + (bucket.getKey() - lowerBound) * (rank - lowerCount) / inBucket);
            }
            lowerBound = bucket.getKey();
            lowerCount = bucket.getValue();
        }
        return Double.NaN;
    }
}
