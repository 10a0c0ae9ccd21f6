package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

    private final RetrySchedule schedule =
            new RetrySchedule(10, Duration.ofSeconds(1), Duration.ofMinutes(5), RandomGenerator.getDefault());

    private long longest(int attempt) {
        return IntStream.range(0, 20_000)
                .mapToLong(i -> schedule.waitAfter(attempt).toMillis())
                .max()
                .orElseThrow();
    }

    @Test
    void doublesFromOneSecondUpToFiveMinutes() {
        assertThat(longest(1)).isBetween(980L, 1000L);
        assertThat(longest(2)).isBetween(1960L, 2000L);
        assertThat(longest(9)).isBetween(250_000L, 256_000L);
        assertThat(longest(10)).isBetween(294_000L, 300_000L);
        assertThat(longest(100)).isBetween(294_000L, 300_000L);
    }

    @Test
    void spreadsOverTheWholeRange() {
        long early = IntStream.range(0, 10_000)
                .filter(i -> schedule.waitAfter(5).toMillis() < 8000)
                .count();
        assertThat(early).isBetween(4700L, 5300L);
    }

    @Test
    void tenthAttemptIsTheLast() {
        assertThat(schedule.isLast(9)).isFalse();
        assertThat(schedule.isLast(10)).isTrue();
    }
}
