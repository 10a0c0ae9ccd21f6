package dev.signups.email;

import static dev.signups.email.TestProvider.refuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.email.TestProvider.Answer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A provider that fails for a while, and one that fails as usual: cases D6 and D19. */
class OutageIT {

    private static final int PER_SECOND = 150;

    private final Setting setting = new Setting();

    @AfterEach
    void close() {
        setting.close();
    }

    /** Signs users up evenly; returns how many. */
    private int signUpFor(int first, Duration time) {
        long start = System.nanoTime();
        int users = (int) (PER_SECOND * time.toMillis() / 1000);
        for (int i = 0; i < users; i++) {
            setting.signUp("user-" + (first + i), Setting.address(first + i));
            long due = start + TimeUnit.SECONDS.toNanos(1) * (i + 1) / PER_SECOND;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        return users;
    }

    private void outage(Duration time) {
        App app = setting.start();
        int before = signUpFor(0, Duration.ofSeconds(2));
        await().atMost(Duration.ofSeconds(30)).until(() -> setting.provider.acceptedUnique() == before);
        setting.provider.behave((call, n) -> refuse(503));
        int callsBefore = setting.provider.requests();
        int users = before + signUpFor(before, time);
        int calls = setting.provider.requests() - callsBefore;
        long lag = setting.lag();
        assertThat(app.operator.queue().path("breaker").asString()).isIn("open", "half_open");
        await().atMost(Duration.ofSeconds(10))
                .until(() -> app.operator.queue().path("depth").asLong() == users - before);
        assertThat(setting.count("status = 'FAILED'")).isZero();
        setting.provider.behave((call, n) -> new Answer.Accept());
        await().atMost(Duration.ofSeconds(90)).until(() -> setting.provider.acceptedUnique() == users);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> app.operator.queue().path("depth").asLong() == 0);
        assertThat(setting.count("status = 'SENT'")).isEqualTo(users);
        assertThat(setting.provider.duplicates()).isZero();
        assertThat(setting.lag()).isZero();
        // the window still holds the successes before: it takes 1.5 failures for each of them to open the breaker
        assertThat(calls).isLessThan(before * 3 / 2 + PER_SECOND + (int) (0.05 * PER_SECOND * time.toSeconds()));
        assertThat(lag).isGreaterThan((users - before) / 3);
    }

    @Test
    void outageCostsNoAttemptsAndIsSeenAsLag() {
        outage(Duration.ofSeconds(12));
    }

    @Test
    @Tag("long")
    void tenMinutesOfOutage() {
        outage(Duration.ofMinutes(10));
    }

    /** Too few calls for a share of them to mean anything: that none gets through has to do. */
    @Test
    void outageAtATrickleCostsFewAttempts() {
        setting.with("delivery.attempts", "8", "delivery.backoff-base", "200ms", "delivery.breaker.open-wait", "1s");
        setting.provider.behave((call, n) -> refuse(503));
        App app = setting.start();
        setting.signUp(0, 4);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> app.operator.queue().path("breaker").asString().equals("open"));
        int calls = setting.provider.requests();
        await().atMost(Duration.ofSeconds(60)).until(() -> setting.provider.requests() > calls + 4 * 8);
        assertThat(setting.count("status = 'FAILED'")).isZero();
        setting.provider.behave((call, n) -> new Answer.Accept());
        await().atMost(Duration.ofSeconds(60)).until(() -> setting.provider.acceptedUnique() == 4);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> app.operator.queue().path("depth").asLong() == 0);
    }

    @Test
    void providerThatIsNotThereBurnsNoAttempt() {
        setting.provider.down();
        App app = setting.start();
        setting.signUp(0, 8);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> setting.count("last_error like 'provider not reached%'") == 8);
        assertThat(setting.count("attempts > 1 or status = 'FAILED'")).isZero();
        setting.provider.up();
        await().atMost(Duration.ofSeconds(60)).until(() -> setting.provider.acceptedUnique() == 8);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> app.operator.queue().path("depth").asLong() == 0);
        assertThat(setting.count("attempts = 1")).isEqualTo(8);
    }

    private void ordinary(Duration time) {
        setting.provider.behave(
                (call, n) -> ThreadLocalRandom.current().nextInt(100) < 20 ? refuse(503) : new Answer.Accept());
        App app = setting.start();
        int users = signUpFor(0, time);
        await().atMost(Duration.ofSeconds(120)).until(() -> setting.provider.acceptedUnique() == users);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> app.operator.queue().path("depth").asLong() == 0);
        assertThat(setting.count("status = 'FAILED'")).isZero();
        // probes are given back: had the breaker opened, there would be some
        assertThat(app.operator.metric("email_results_total{result=\"given_back\"}"))
                .isZero();
    }

    @Test
    void ordinaryFailuresNeverOpenTheBreaker() {
        ordinary(Duration.ofSeconds(10));
    }

    @Test
    @Tag("long")
    void tenMinutesOfOrdinaryFailures() {
        ordinary(Duration.ofMinutes(10));
    }
}
