package dev.signups.email.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

    @Test
    void readsSeconds() {
        assertThat(RetryAfter.parse(" 7 ", NOW)).isEqualTo(Duration.ofSeconds(7));
        assertThat(RetryAfter.parse("0", NOW)).isEqualTo(Duration.ZERO);
    }

    @Test
    void readsADate() {
        assertThat(RetryAfter.parse("Mon, 30 Nov 2026 10:00:42 GMT", NOW)).isEqualTo(Duration.ofSeconds(42));
        assertThat(RetryAfter.parse("Mon, 30 Nov 2026 09:00:00 GMT", NOW)).isEqualTo(Duration.ZERO);
    }

    @Test
    void waitsADayAtMost() {
        assertThat(RetryAfter.parse("99999999999999999999", NOW)).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "soon", "-1", "1.5"})
    void ignoresWhatItCannotRead(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isNull();
    }
}
