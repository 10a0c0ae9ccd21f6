package dev.signups.fakeemail.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.signups.fakeemail.SettableClock;
import dev.signups.fakeemail.fault.Decision.Fate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private final Dials dials = new Dials();
    private final SettableClock clock = dials.clock;
    private final FaultPlan plan = dials.plan;

    @Test
    void sameSeedMakesTheSameDecisions() {
        dials.turn("{'seed': 42, 'acceptThen503': 0.3}");
        List<Decision> first = draw(500);
        dials.turn("{'seed': 42}");
        List<Decision> again = draw(500);
        dials.turn("{'seed': 43}");

        assertThat(again).isEqualTo(first);
        assertThat(draw(500)).isNotEqualTo(first);
    }

    @Test
    void otherDialsDoNotDisturbTheSequence() {
        dials.turn("{'seed': 7, 'failureRate': 0}");
        List<Duration> undisturbed = draw(20).stream().map(Decision::latency).toList();
        dials.turn("{'seed': 7}");
        List<Duration> before = draw(10).stream().map(Decision::latency).toList();
        dials.turn("{'failureRate': 1}");
        List<Duration> after = draw(10).stream().map(Decision::latency).toList();

        assertThat(Stream.concat(before.stream(), after.stream())).isEqualTo(undisturbed);
    }

    @Test
    void latencyIsUniformBetweenItsBounds() {
        List<Long> micros =
                draw(20_000).stream().map(d -> d.latency().toNanos() / 1000).toList();

        assertThat(micros).allMatch(m -> m >= 2_000_000 && m <= 4_000_000);
        double mean = micros.stream().mapToLong(m -> m).average().orElseThrow();
        assertThat(mean).isCloseTo(3_000_000, within(30_000.0));
        assertThat(micros.stream().filter(m -> m < 2_500_000).count()).isBetween(4_600L, 5_400L);
    }

    @Test
    void failsAtTheRateAndSharesOutTheAccepted() {
        dials.turn("{'acceptThen503': 0.2, 'acceptThenReset': 0.3, 'acceptThenHang': 0.1}");

        Map<Fate, Long> fates = draw(50_000).stream()
                .map(Decision::fate)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

        assertThat(fates.get(Fate.FAIL)).isBetween(9_500L, 10_500L);
        assertThat(fates.get(Fate.ACCEPT_THEN_503)).isBetween(7_600L, 8_400L);
        assertThat(fates.get(Fate.ACCEPT_THEN_RESET)).isBetween(11_500L, 12_500L);
        assertThat(fates.get(Fate.ACCEPT_THEN_HANG)).isBetween(3_600L, 4_400L);
        assertThat(fates.get(Fate.ACCEPT)).isBetween(15_400L, 16_600L);
    }

    @Test
    void ratesOfNothingAndOfEverythingAreExact() {
        dials.turn("{'failureRate': 0, 'acceptThenReset': 1}");
        assertThat(draw(2_000)).allMatch(d -> d.fate() == Fate.ACCEPT_THEN_RESET);
        dials.turn("{'acceptThenReset': 0}");
        assertThat(draw(2_000)).allMatch(d -> d.fate() == Fate.ACCEPT);
        dials.turn("{'failureRate': 1}");
        assertThat(draw(2_000)).allMatch(d -> d.fate() == Fate.FAIL);
    }

    @Test
    void patternsChooseAddresses() {
        dials.turn("""
                {'failureRate': 0, 'always503': ['down?@example.com'],
                 'reject422': ['*@bounce.example', '/[a-z]+[+]blocked@.*/']}""");

        assertThat(plan.next("down1@example.com").fate()).isEqualTo(Fate.FAIL);
        assertThat(plan.next("down12@example.com").fate()).isEqualTo(Fate.ACCEPT);
        assertThat(plan.rejects("Ada@BOUNCE.example")).isTrue();
        assertThat(plan.rejects("ada@bounce-example")).isFalse();
        assertThat(plan.rejects("ada+blocked@example.com")).isTrue();
        assertThat(plan.rejects("ada@example.com")).isFalse();
    }

    @Test
    void letsInSoManyPerSecond() {
        dials.turn("{'rateLimitPerSecond': 2}");

        assertThat(admissions(3)).containsExactly(Admission.OPEN, Admission.OPEN, Admission.RATE_LIMITED);
        clock.forward(Duration.ofSeconds(1));
        assertThat(admissions(1)).containsExactly(Admission.OPEN);
        dials.turn("{'rateLimitPerSecond': 0}");
        assertThat(admissions(1)).containsExactly(Admission.RATE_LIMITED);
        dials.turn("{'rateLimitPerSecond': null}");
        assertThat(admissions(1)).containsExactly(Admission.OPEN);
    }

    @Test
    void saysWhenToComeBackInBothForms() {
        dials.turn("{'retryAfterSeconds': 7}");
        assertThat(plan.retryAfter()).isEqualTo("7");
        dials.turn("{'retryAfterFormat': 'date'}");
        // it is a quarter past the second: rounded down the date would be too early
        assertThat(plan.retryAfter()).isEqualTo("Wed, 21 Oct 2026 07:28:08 GMT");
    }

    @Test
    void wantsTheKeyAsBearer() {
        dials.turn("{'requiredApiKey': 's3cret'}");

        assertThat(plan.admit(null)).isEqualTo(Admission.UNAUTHORISED);
        assertThat(plan.admit("Bearer other")).isEqualTo(Admission.UNAUTHORISED);
        assertThat(plan.admit("s3cret")).isEqualTo(Admission.UNAUTHORISED);
        assertThat(plan.admit("bearer s3cret")).isEqualTo(Admission.OPEN);
        assertThat(plan.settings().toString()).doesNotContain("s3cret");
    }

    @Test
    void outageBeginsAndEndsByItself() {
        dials.turn("{'outageSeconds': 30, 'outageStartsInSeconds': 10}");
        assertThat(plan.admit(null)).isEqualTo(Admission.OPEN);
        clock.forward(Duration.ofSeconds(10));
        assertThat(plan.admit(null)).isEqualTo(Admission.OUTAGE);
        clock.forward(Duration.ofSeconds(29));
        assertThat(plan.admit(null)).isEqualTo(Admission.OUTAGE);
        clock.forward(Duration.ofSeconds(1));
        assertThat(plan.admit(null)).isEqualTo(Admission.OPEN);

        dials.turn("{'outage': true}");
        clock.forward(Duration.ofDays(300));
        assertThat(plan.admit(null)).isEqualTo(Admission.OUTAGE);
        dials.turn("{'outage': false}");
        assertThat(plan.admit(null)).isEqualTo(Admission.OPEN);
    }

    private List<Decision> draw(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> plan.next("ada@example.com"))
                .toList();
    }

    private List<Admission> admissions(int count) {
        return IntStream.range(0, count).mapToObj(i -> plan.admit(null)).toList();
    }
}
