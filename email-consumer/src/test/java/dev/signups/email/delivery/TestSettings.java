package dev.signups.email.delivery;

import java.time.Duration;

/** Settings with the defaults of production but for what a test is about. */
final class TestSettings {

    private TestSettings() {}

    static DeliveryProperties with(Duration lease, Duration keyRetention) {
        return new DeliveryProperties(
                1000,
                10,
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                lease,
                Duration.ofMillis(100),
                Duration.ofMillis(10),
                Duration.ofSeconds(20),
                keyRetention,
                Duration.ofMillis(200),
                0,
                new DeliveryProperties.Breaker(60, 50, Duration.ofSeconds(10), 12, Duration.ofSeconds(1), 5));
    }
}
