package dev.signups.loadtests.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HistogramTest {

    private static final String EARLIER = """
            # TYPE took_seconds histogram
            took_seconds_bucket{application="relay",le="0.001"} 10.0
            took_seconds_bucket{application="relay",le="0.002"} 10.0
            took_seconds_bucket{application="relay",le="0.004"} 10.0
            took_seconds_bucket{application="relay",le="+Inf"} 10.0
            took_seconds_count{application="relay"} 10.0
            """;
    private static final String LATER = """
            took_seconds_bucket{application="relay",le="0.001"} 10.0
            took_seconds_bucket{application="relay",le="0.002"} 60.0
            took_seconds_bucket{application="relay",le="0.004"} 109.0
            took_seconds_bucket{application="relay",le="+Inf"} 110.0
            """;

    private final Histogram histogram =
            Histogram.parse(LATER, "took_seconds").since(Histogram.parse(EARLIER, "took_seconds"));

    @Test
    void quantilesAreOfWhatWasObservedBetweenAndLinearWithinABucket() {
        assertThat(histogram.quantileMillis(0.25)).isCloseTo(1.5, within(1e-9));
        assertThat(histogram.quantileMillis(0.5)).isCloseTo(2, within(1e-9));
        assertThat(histogram.quantileMillis(0.99)).isCloseTo(4, within(1e-9));
    }

    @Test
    void aQuantileBeyondTheLastBoundIsThatBound() {
        assertThat(histogram.quantileMillis(1)).isCloseTo(4, within(1e-9));
    }

    @Test
    void nothingObservedHasNoQuantile() {
        Histogram same = Histogram.parse(LATER, "took_seconds");
        assertThat(same.since(same).quantileMillis(0.5)).isNaN();
    }

    @Test
    void aMetricThatIsNotThereIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> Histogram.parse(LATER, "other_seconds")).hasMessageContaining("other_seconds");
    }
}
