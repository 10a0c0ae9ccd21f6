package dev.signups.fakeemail.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class SettingsDocumentTest {

    private final Dials dials = new Dials();

    @Test
    void keepsWhatAChangeLeavesOut() {
        FaultSettings before = dials.plan.settings();

        dials.turn("{'failureRate': 0.5}");

        FaultSettings after = dials.plan.settings();
        assertThat(after.failureRate()).isEqualTo(0.5);
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("failureRate")
                .isEqualTo(before);
    }

    @Test
    void canBeSentBackAsItWasRead() {
        dials.turn("""
                {'requiredApiKey': 's3cret', 'rateLimitPerSecond': 5, 'reject422': ['*@x'], 'retryAfterFormat': 'date',
                 'outageSeconds': 30, 'outageStartsInSeconds': 10}""");
        FaultSettings before = dials.plan.settings();
        ObjectNode document = dials.document.read();

        dials.document.change(document);

        assertThat(dials.plan.settings()).isEqualTo(before);
        assertThat(dials.document.read()).isEqualTo(document);
        assertThat(document.toString()).doesNotContain("s3cret").contains("\"apiKeyRequired\":true");
    }

    @Test
    void nullSwitchesAnOptionalDialOff() {
        dials.turn("{'requiredApiKey': 's3cret', 'rateLimitPerSecond': 5, 'seed': 9}");
        dials.turn("{'requiredApiKey': null, 'rateLimitPerSecond': null, 'seed': null}");

        FaultSettings settings = dials.plan.settings();
        assertThat(settings.requiredApiKey()).isNull();
        assertThat(settings.rateLimitPerSecond()).isNull();
        assertThat(settings.seed()).isNull();
    }

    @Test
    void showsHowLongAnOutageLasts() {
        dials.turn("{'outageSeconds': 30}");
        dials.clock.forward(Duration.ofMillis(10_500));

        assertThat(dials.document.read().get("outage").booleanValue()).isTrue();
        assertThat(dials.document.read().get("outageSeconds").intValue()).isEqualTo(20);
        dials.clock.forward(Duration.ofSeconds(20));
        assertThat(dials.document.read().get("outage").booleanValue()).isFalse();
        assertThat(dials.document.read().get("outageSeconds").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {'failureRate': 1.1}                          | failureRate
                    {'failureRate': -0.1}                         | failureRate
                    {'failureRate': null}                         | failureRate
                    {'failureRate': 'much'}                       | failureRate
                    {'latencyMinMs': -1}                          | latencyMinMs
                    {'latencyMinMs': 5000}                        | latencyMaxMs
                    {'latencyMaxMs': 1.5}                         | latencyMaxMs
                    {'latencyMaxMs': '3000'}                      | latencyMaxMs
                    {'acceptThen503': 0.6, 'acceptThenHang': 0.6} | acceptThen503
                    {'reject422': ['/(/']}                        | reject422
                    {'reject422': '*@x'}                          | reject422
                    {'always503': ['']}                           | always503
                    {'requiredApiKey': ' '}                       | requiredApiKey
                    {'rateLimitPerSecond': -1}                    | rateLimitPerSecond
                    {'retryAfterFormat': 'weeks'}                 | retryAfterFormat
                    {'retryAfterFormat': 0}                       | retryAfterFormat
                    {'idempotencyKeyTtlSeconds': -5}              | idempotencyKeyTtlSeconds
                    {'failurRate': 0.1}                           | failurRate
                    {'outage': 'yes'}                             | outage
                    {'outageSeconds': 1.5}                        | outageSeconds
                    {'outageStartsInSeconds': 5}                  | outageStartsInSeconds
                    """, quoteCharacter = '`')
    void namesWhatCannotBeUsedAndChangesNothing(String change, String field) {
        FaultSettings before = dials.plan.settings();

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> dials.turn(change))
                .satisfies(e -> assertThat(e.errors()).containsOnlyKeys(field));
        assertThat(dials.plan.settings()).isEqualTo(before);
    }
}
