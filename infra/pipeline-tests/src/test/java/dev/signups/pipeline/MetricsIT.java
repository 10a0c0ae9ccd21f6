package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsIT {

    private static final Pattern SERIES = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)[{ ]");

    @Test
    void everyMetricOfADashboardOrAlertExistsInTheRunningServices() throws Exception {
        RunningPipeline pipeline = RunningPipeline.get();
        pipeline.signUp(UUID.randomUUID() + "@example.com");
        // Prometheus' own
        Set<String> existing = new TreeSet<>(Set.of("up"));
        for (String service : RunningPipeline.SERVICES) {
            SERIES.matcher(pipeline.metrics(service)).results().forEach(series -> existing.add(series.group(1)));
        }
        assertThat(Monitoring.metrics()).hasSizeGreaterThan(30);
        assertThat(existing).containsAll(Monitoring.metrics());
    }
}
