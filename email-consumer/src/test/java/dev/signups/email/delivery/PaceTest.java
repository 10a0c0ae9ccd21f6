package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void rateLimitSpacesCallsAndSavesNothingUp() {
        RateLimit limit = new RateLimit(100, 0);
        assertThat(limit.reserve(0)).isZero();
        assertThat(limit.reserve(0)).isEqualTo(10_000_000);
        assertThat(limit.reserve(0)).isEqualTo(20_000_000);
        long muchLater = 5_000_000_000L;
        assertThat(limit.reserve(muchLater)).isZero();
        assertThat(limit.reserve(muchLater)).isEqualTo(10_000_000);
    }

    @Test
    void noRateLimitNeverWaits() {
        RateLimit limit = new RateLimit(0, 0);
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.reserve(0)).isZero();
        }
    }

    @Test
    void permitsAreNeverMoreThanThereAre() {
        Permits permits = new Permits(3);
        assertThat(permits.takeUpTo(2)).isEqualTo(2);
        assertThat(permits.takeUpTo(2)).isEqualTo(1);
        assertThat(permits.takeUpTo(2)).isZero();
        permits.release(3);
        assertThat(permits.free()).isEqualTo(3);
        assertThatIllegalStateException().isThrownBy(() -> permits.release(1));
    }
}
