package dev.signups.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that are killed, told to stop or frozen, and others that join and leave: cases D3, D4, D11, D17. */
class CrashIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Setting setting = new Setting();

    @AfterEach
    void close() {
        setting.close();
    }

    @Test
    void killedWithFiveHundredSendsInFlight() {
        setting.with("delivery.lease", "5s", "delivery.permits", "500");
        setting.provider.slow(Duration.ofSeconds(2), Duration.ofSeconds(4));
        ChildApp first = setting.startChild();
        setting.signUp(0, 800);
        await().atMost(PATIENCE).until(() -> setting.provider.inFlight() >= 500);
        first.kill();
        long leasesEnd = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        int before = setting.provider.requests();
        setting.provider.slow(Duration.ofMillis(50), Duration.ofMillis(100));
        ChildApp second = setting.startChild();
        long resumable = Math.max(leasesEnd, System.nanoTime());
        // the 300 that were never claimed go out at once; whatever is more than those was in flight
        await().atMost(PATIENCE).until(() -> setting.provider.requests() > before + 300);
        assertThat(Duration.ofNanos(System.nanoTime() - resumable)).isLessThan(Duration.ofSeconds(5));
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 800);
        assertThat(setting.provider.acceptedUnique()).isEqualTo(800);
        assertThat(setting.provider.duplicates()).isZero();
        await().atMost(PATIENCE)
                .until(() -> second.operator.queue().path("depth").asLong() == 0);
    }

    @Test
    void termGivesBackWhatDoesNotEndInTime() throws InterruptedException {
        setting.with("delivery.drain-timeout", "3s");
        setting.provider.behave((call, n) -> {
            setting.provider.pause(call.to().hashCode() % 2 == 0 ? 1500 : 60_000);
            return new TestProvider.Answer.Accept();
        });
        ChildApp app = setting.startChild();
        setting.signUp(0, 100);
        await().atMost(PATIENCE).until(() -> setting.provider.inFlight() == 100);
        Duration took = app.terminate(Duration.ofSeconds(30));
        assertThat(took).isLessThan(Duration.ofSeconds(20));
        long sent = setting.count("status = 'SENT'");
        assertThat(sent).isBetween(20L, 80L);
        assertThat(setting.count("status = 'PENDING'")).isEqualTo(100 - sent);
        assertThat(setting.count("status = 'PENDING' and attempts <> 0")).isZero();
        assertThat(setting.count("status = 'PENDING' and unknown_since is null"))
                .as("what was cut off may have been accepted")
                .isZero();
        setting.provider.slow(Duration.ofMillis(10), Duration.ofMillis(20));
        setting.start();
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 100);
        assertThat(setting.provider.acceptedUnique()).isEqualTo(100);
        assertThat(setting.provider.duplicates()).isZero();
    }

    @Test
    void instancesJoinAndLeaveUnderLoad() {
        setting.with("inbox.session-timeout", "6s").provider.slow(Duration.ofMillis(100), Duration.ofMillis(300));
        setting.start();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 1500; i += 15) {
                setting.signUp(i, i + 15);
                try {
                    setting.provider.pause(100);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        AtomicBoolean watching = new AtomicBoolean(true);
        CompletableFuture<List<String>> steppedBack =
                CompletableFuture.supplyAsync(() -> offsetsThatStepBackWhile(watching));
        await().atMost(PATIENCE).until(() -> setting.provider.acceptedUnique() > 200);
        App second = setting.start();
        setting.start();
        await().atMost(PATIENCE).until(() -> second.operator.metric("email_sends_total{outcome=\"accepted\"}") > 20);
        second.close();
        load.join();
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 1500);
        assertThat(setting.provider.acceptedUnique()).isEqualTo(1500);
        assertThat(setting.provider.duplicates()).isZero();
        await().atMost(PATIENCE).until(() -> setting.lag() == 0);
        watching.set(false);
        assertThat(steppedBack.join()).as("committed offsets never go back").isEmpty();
    }

    private List<String> offsetsThatStepBackWhile(AtomicBoolean watching) {
        List<String> steps = new ArrayList<>();
        Map<TopicPartition, Long> before = new HashMap<>();
        try (Admin admin = setting.admin()) {
            while (watching.get()) {
                setting.committed(admin).forEach((partition, offset) -> {
                    Long last = before.put(partition, offset);
                    if (last != null && offset < last) {
                        steps.add(partition + " from " + last + " to " + offset);
                    }
                });
                setting.provider.pause(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(before).as("premise: offsets were seen").isNotEmpty();
        return steps;
    }

    @Test
    void frozenForLongerThanItsLeaseLosesItsRowsAndDoesNoHarm() {
        setting.with("delivery.lease", "2s", "inbox.session-timeout", "6s");
        setting.provider.slow(Duration.ofSeconds(1), Duration.ofSeconds(2));
        ChildApp frozen = setting.startChild();
        setting.signUp(0, 100);
        await().atMost(PATIENCE).until(() -> setting.provider.inFlight() == 100);
        frozen.signal("STOP");
        App other = setting.start();
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 100);
        frozen.signal("CONT");
        setting.signUp(100, 150);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 150);
        assertThat(setting.provider.duplicates()).isZero();
        await().atMost(PATIENCE)
                .until(() -> other.operator.queue().path("depth").asLong() == 0);
    }

    /** A slow answer is no sign of death: the holder says that it lives. */
    @Test
    void sendsLongerThanTheLeaseAreNotTakenOver() {
        setting.with("delivery.lease", "1s").provider.slow(Duration.ofSeconds(4), Duration.ofSeconds(5));
        setting.start();
        setting.start();
        setting.signUp(0, 50);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 50);
        assertThat(setting.provider.requests()).isEqualTo(50);
        assertThat(setting.count("attempts = 1")).isEqualTo(50);
    }

    private void rerunKilledHalfWay(int rows) {
        setting.with("delivery.lease", "3s");
        ChildApp first = setting.startChild();
        setting.execute("insert into email_delivery (user_id, email_type, status, attempts, last_error, last_outcome,"
                + " recipient, arguments, event_time) select 'u-' || n, 'welcome_email', 'FAILED', 10, 'HTTP 503', 'retriable',"
                + " 'u-' || n || '@example.com', '{\"firstName\": \"Grace\"}', now() from generate_series(1, " + rows
                + ") n");
        CompletableFuture<Void> rerun =
                CompletableFuture.runAsync(() -> first.operator.post("/api/emails/retry?status=FAILED&limit=1000000"));
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> setting.count("status <> 'FAILED'") > rows / 10);
        first.kill();
        assertThat(rerun.handle((done, failed) -> true).join()).isTrue();
        App second = setting.start();
        second.operator.post("/api/emails/retry?status=FAILED&limit=1000000");
        await().atMost(Duration.ofMinutes(10)).until(() -> setting.count("status = 'SENT'") == rows);
        assertThat(setting.provider.acceptedUnique()).isEqualTo(rows);
        assertThat(setting.provider.duplicates()).isZero();
    }

    @Test
    void rerunOfManyKilledHalfWay() {
        rerunKilledHalfWay(5_000);
    }

    @Test
    @Tag("long")
    void rerunOfAHundredThousandKilledHalfWay() {
        rerunKilledHalfWay(100_000);
    }
}
