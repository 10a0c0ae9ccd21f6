package dev.signups.loadtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    @Test
    void oneMissedTargetMakesTheRunMissed() {
        Outcome outcome = new Outcome().atLeast("rate", 2, 1.5, "/s");
        assertThat(outcome.isMet()).isTrue();
        outcome.atMost("p99", 6.1, 6, " ms");
        assertThat(outcome.isMet()).isFalse();
        assertThat(outcome.table()).contains("met", "MISSED", "6.10 ms", "≤ 6 ms");
    }

    @Test
    void whatCouldNotBeMeasuredIsMissed() {
        assertThat(new Outcome().atLeast("rate", Double.NaN, 1, "").isMet()).isFalse();
        assertThat(new Outcome().atMost("rate", Double.NaN, 1, "").isMet()).isFalse();
    }

    @Test
    void resultLineKeepsTheOrderOfItsFigures() {
        Outcome outcome = new Outcome().figure("b", 12345.6).figure("a", 0.25).figure("lost", 0);
        assertThat(outcome.line("relay")).isEqualTo("RESULT scenario=relay b=12346 a=0.25 lost=0");
    }

    @Test
    void parametersAreCheckedByName() {
        Map<String, String> defaults = Map.of("rate", "150", "duration", "60s");
        Parameters parameters = Parameters.parse(List.of("duration=500ms", "quick=true"), defaults);
        assertThat(parameters.number("rate")).isEqualTo(150);
        assertThat(parameters.time("duration")).isEqualTo(Duration.ofMillis(500));
        assertThat(parameters.quick()).isTrue();
        assertThatThrownBy(() -> Parameters.parse(List.of("rte=3"), defaults)).hasMessageContaining("rate");
        assertThatThrownBy(() -> Parameters.parse(List.of("rate=no"), defaults).number("rate"))
                .hasMessageContaining("rate is a whole number");
    }
}
