package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalStack;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** From the commit of a single row on an idle system to a reader's having it. */
@Isolated("times every row")
class LatencyIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    /** Half the rows: the machine that runs all tests is not idle. */
    @Test
    void singleRowArrivesWithinMilliseconds() throws Exception {
        assertThat(percentiles(100)[0]).as("median, ms").isLessThan(50);
    }

    @Test
    @Tag("long")
    void ninetyNineOfAHundredArriveWithinTwentyMilliseconds() throws Exception {
        assertThat(percentiles(1000)[1]).as("99th percentile, ms").isLessThan(20);
    }

    private double[] percentiles(int rows) throws Exception {
        try (var _ = TestRelay.start(outbox, kafka).awaitReady();
                Topic topic = new Topic(kafka, outbox.database() + ".event.user");
                Connection connection = outbox.connect()) {
            int warmUp = 200;
            double[] took = new double[rows];
            for (int i = 0; i < warmUp + rows; i++) {
                Outbox.insert(connection, "user", "k", "{}");
                long committed = System.nanoTime();
                topic.awaitMore(i + 1, Duration.ofSeconds(30));
                if (i >= warmUp) {
                    took[i - warmUp] = (System.nanoTime() - committed) / 1e6;
                }
                LockSupport.parkNanos(2_000_000);
            }
            Arrays.sort(took);
            double[] found = {took[rows / 2], took[(int) (rows * 0.99)]};
            System.out.printf("idle latency rows=%d p50=%.1f ms p99=%.1f ms%n", rows, found[0], found[1]);
            return found;
        }
    }
}
