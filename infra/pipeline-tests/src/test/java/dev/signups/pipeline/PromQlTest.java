package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromQlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            up{job=~"a.*b"} == 0                                                      | up
            (sum(relay_leader) or vector(0)) == 0                                     | relay_leader
            max(a_b) - max(a_b offset 10m) > 0                                        | a_b
            histogram_quantile(.99, sum by (le) (rate(x_bucket{uri="/u"}[$__rate_interval]))) | x_bucket
            min_over_time(abs(sum by (job, instance) (a) - sum without(x) (b))[10m:15s]) > 1e9 | a b
            max(deriv(c[5m])) > 0 and on (job) d < 0.8 * e unless (f > 0)             | c d e f
            """)
    void findsMetricsAndNothingElse(String expression, String names) {
        assertThat(PromQl.metrics(expression)).containsExactly(names.split(" "));
    }
}
