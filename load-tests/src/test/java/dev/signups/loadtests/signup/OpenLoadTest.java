package dev.signups.loadtests.signup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpenLoadTest {

    private static final Duration GRACE = Duration.ofSeconds(30);

    @Test
    void aLateAnswerDelaysNoArrival() throws Exception {
        CountDownLatch all = new CountDownLatch(20);

        Measurement measured = OpenLoad.run(new Load(1000, Duration.ofMillis(20), 100, GRACE), number -> {
            all.countDown();
            return all.await(20, TimeUnit.SECONDS) ? 201 : 500;
        });

        assertThat(measured.ok()).isEqualTo(20);
        assertThat(measured.maxUsers()).isEqualTo(20);
        assertThat(measured.dropped()).isZero();
    }

    @Test
    void latencyCountsFromWhenARequestWasDue() throws Exception {
        // the last answer sets all free, 190 ms after the first was due
        CountDownLatch all = new CountDownLatch(20);

        Measurement measured = OpenLoad.run(new Load(100, Duration.ofMillis(200), 100, GRACE), number -> {
            all.countDown();
            all.await();
            return 201;
        });

        assertThat(measured.percentile(100)).isGreaterThanOrEqualTo(190);
        assertThat(measured.percentile(50)).isGreaterThanOrEqualTo(90);
    }

    @Test
    void countsArrivalsForWhichNoUserIsFree() throws Exception {
        CountDownLatch last = new CountDownLatch(1);

        Measurement measured = OpenLoad.run(new Load(100, Duration.ofMillis(100), 3, Duration.ofMillis(50)), number -> {
            last.await();
            return 201;
        });

        assertThat(measured.dropped()).isEqualTo(7);
        assertThat(measured.requests()).isEqualTo(3);
        assertThat(measured.interrupted()).isEqualTo(3);
        assertThat(measured.answered()).isZero();
        assertThat(measured.percentile(95)).isNaN();
    }

    @Test
    void tellsFailuresFromSuccess() throws Exception {
        Measurement measured =
                OpenLoad.run(new Load(1000, Duration.ofMillis(10), 100, GRACE), number -> switch (number % 5) {
                    case 0 -> throw new IllegalStateException("no connection");
                    case 1 -> 503;
                    default -> 201;
                });

        assertThat(measured.ok()).isEqualTo(6);
        assertThat(measured.failed()).isEqualTo(4);
        assertThat(measured.errorPercent()).isEqualTo(40);
        assertThat(measured.answersBySecond()).contains(10);
    }

    @Test
    void percentilesAndRatesAreThoseOfTheAnswers() {
        Load load = new Load(1, Duration.ofSeconds(4), 10, GRACE);
        long second = 1_000_000_000L;
        // due at 0, 1, 2, 3 s; answered at 0.5, 3, 3.5 s and never
        Measurement measured = new Measurement(
                load,
                new long[] {second / 2, 2 * second, 3 * second / 2, 0},
                new int[] {201, 201, 500, Measurement.INTERRUPTED},
                3);

        assertThat(measured.percentile(50)).isEqualTo(1500);
        assertThat(measured.percentile(95)).isEqualTo(2000);
        assertThat(measured.answersBySecond()).containsExactly(1, 0, 0, 2);
        assertThat(measured.answersPerSecond(Duration.ofSeconds(2))).isEqualTo(1);
    }

    @Test
    void virtualUsersScaleWithTheRateAsInTheScriptForK6() {
        assertThat(Load.of(150, Duration.ofSeconds(1)).maxUsers()).isEqualTo(2400);
        assertThat(Load.of(1, Duration.ofSeconds(1)).maxUsers()).isEqualTo(50);
    }
}
