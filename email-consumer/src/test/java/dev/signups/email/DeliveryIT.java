package dev.signups.email;

import static dev.signups.email.Setting.address;
import static dev.signups.email.TestProvider.refuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.email.TestProvider.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What becomes of e-mails when the provider misbehaves: cases D1, D2, D7 to D10, D15, D16. */
@Tag("contract")
class DeliveryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Setting setting = new Setting();

    @AfterEach
    void close() {
        setting.close();
    }

    private void awaitDrained(App app) {
        await().atMost(PATIENCE).until(() -> app.operator.queue().path("depth").asLong() == 0);
    }

    @Test
    void sameEventAgainAndAgainIsOneEmail() {
        App app = setting.start();
        for (int i = 0; i < 3; i++) {
            setting.signUp("u-1", "one@example.com");
        }
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 1);
        Setting.await(setting.signUp("u-1", "one@example.com"));
        awaitDrained(app);
        assertThat(setting.provider.requests()).isEqualTo(1);
        assertThat(setting.lag()).isZero();
        assertThat(app.operator.metric("email_events_total{result=\"duplicate\"}"))
                .isEqualTo(3);
        await().atMost(PATIENCE).until(() -> app.operator.metric("email_in_flight") == 0);
        assertThat(app.operator.metric("logback_events_total{level=\"error\"}"))
                .as("errors in the log")
                .isZero();
    }

    @Test
    void acceptedButNotHeardOfIsAskedAgainUnderTheSameKey() {
        setting.with("provider.response-timeout", "1s", "delivery.backoff-base", "100ms");
        setting.provider.behave((call, n) -> switch (call.to()) {
            case "reset@example.com" -> new Answer.AcceptThenReset();
            case "error@example.com" -> new Answer.AcceptThen(503);
            default -> new Answer.AcceptThenHang(Duration.ofSeconds(20));
        });
        App app = setting.start();
        for (String name : List.of("reset", "error", "hang")) {
            setting.signUp(name, name + "@example.com");
        }
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 3);
        assertThat(setting.provider.acceptedUnique()).isEqualTo(3);
        assertThat(setting.provider.duplicates()).isZero();
        assertThat(setting.provider.replayed()).isGreaterThanOrEqualTo(3);
        assertThat(app.operator
                        .get("/api/emails/hang/welcome_email")
                        .path("attempts")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void throttlingStopsAllCallsForAsLongAsTold() {
        setting.provider.behave(
                (call, n) -> setting.provider.requests() == 1 ? refuse(429, "Retry-After", "4") : new Answer.Accept());
        App app = setting.start();
        setting.signUp(0, 1);
        await().atMost(PATIENCE).until(() -> setting.provider.requests() == 1);
        setting.signUp(1, 40);
        await().atMost(PATIENCE).until(() -> setting.provider.acceptedUnique() == 40);
        long first = setting.provider.calls().getFirst().nanos();
        assertThat(setting.provider.calls().subList(1, 2))
                .allSatisfy(call -> assertThat(Duration.ofNanos(call.nanos() - first))
                        .isBetween(Duration.ofSeconds(4), Duration.ofMillis(7500)));
        awaitDrained(app);
        assertThat(setting.count("attempts = 1")).isEqualTo(40);
        assertThat(app.operator.metric("email_sends_total{outcome=\"throttled\"}"))
                .isEqualTo(1);
    }

    @Test
    void hopelessAddressesFailWithTheReasonAndAreSentAfterTheCauseIsMended() {
        setting.with("delivery.attempts", "4", "delivery.backoff-base", "50ms");
        Map<String, Boolean> mended = new ConcurrentHashMap<>();
        setting.provider.behave((call, n) -> {
            if (call.to().startsWith("bad")) {
                return mended.isEmpty() ? refuse(503) : new Answer.Accept();
            }
            return call.to().startsWith("gone") ? refuse(422) : new Answer.Accept();
        });
        App app = setting.start();
        setting.signUp("bad-1", "bad-1@example.com");
        setting.signUp("bad-2", "bad-2@example.com");
        setting.signUp("gone", "gone@example.com");
        setting.signUp(0, 20);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'FAILED'") == 3);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 20);
        JsonNode bad = app.operator.get("/api/emails/bad-1/welcome_email");
        assertThat(bad.path("attempts").asInt()).isEqualTo(4);
        assertThat(bad.path("lastError").asString()).isEqualTo("HTTP 503: as told");
        JsonNode gone = app.operator.get("/api/emails/gone/welcome_email");
        assertThat(gone.path("attempts").asInt()).isEqualTo(1);
        assertThat(gone.path("lastError").asString()).isEqualTo("HTTP 422: as told");
        assertThat(app.operator.get("/api/emails?status=FAILED")).hasSize(3);
        await().until(() -> app.operator.queue().path("failed").asInt() == 3);

        mended.put("yes", true);
        assertThat(app.operator
                        .send("POST", "/api/emails/retry?status=FAILED&reason=503&limit=10", "", true)
                        .body())
                .isEqualTo("{\"requeued\":2}");
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 22);
        assertThat(app.operator.post("/api/emails/bad-1/welcome_email/retry")).isEqualTo(409);
        assertThat(app.operator.post("/api/emails/nobody/welcome_email/retry")).isEqualTo(404);
        assertThat(app.operator.post("/api/emails/gone/welcome_email/retry")).isEqualTo(202);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'FAILED'") == 1);
        assertThat(setting.provider.duplicates()).isZero();
        assertThat(setting.provider.calls().stream()
                        .filter(call -> call.to().equals("gone@example.com"))
                        .map(TestProvider.Call::key))
                .containsExactly("welcome_email:gone", "welcome_email:gone:1");
        // claimed = sent + retried + failed + given back
        await().untilAsserted(() -> assertThat(app.operator.metric("email_claims_total"))
                .isEqualTo(app.operator.metric("email_results_total{result=\"sent\"}")
                        + app.operator.metric("email_results_total{result=\"retry\"}")
                        + app.operator.metric("email_results_total{result=\"failed\"}")
                        + app.operator.metric("email_results_total{result=\"given_back\"}")));
    }

    @Test
    void refusedCredentialStopsEverythingAndBurnsNothing() {
        setting.with("delivery.credential-probe", "500ms");
        Map<String, Boolean> mended = new ConcurrentHashMap<>();
        setting.provider.behave((call, n) -> mended.isEmpty() ? refuse(401) : new Answer.Accept());
        App app = setting.start();
        setting.signUp(0, 30);
        await().atMost(PATIENCE).until(() -> app.operator.readiness().statusCode() == 503);
        assertThat(app.operator.readiness().body())
                .contains("EMAIL_PROVIDER_API_KEY")
                .contains("401");
        setting.signUp(30, 60);
        await().atMost(PATIENCE).until(() -> setting.lag() > 0);
        assertThat(setting.count("attempts > 0 and status <> 'SENDING'")).isZero();
        int before = setting.provider.requests();
        await().atMost(PATIENCE).until(() -> setting.provider.requests() > before);
        mended.put("yes", true);
        await().atMost(PATIENCE).until(() -> setting.provider.acceptedUnique() == 60);
        awaitDrained(app);
        assertThat(app.operator.readiness().statusCode()).isEqualTo(200);
        assertThat(setting.count("attempts = 1")).isEqualTo(60);
        assertThat(setting.provider.duplicates()).isZero();
    }

    @Test
    void retryDueInASecondStartsInTime() {
        App app = setting.start();
        // a lease that is long gone would be found in the same way
        setting.execute("insert into email_delivery (user_id, email_type, status, attempts, next_attempt_at, recipient,"
                + " arguments, event_time) select 'due-' || n, 'welcome_email', 'PENDING', 1, clock_timestamp() + interval '3 s',"
                + " 'due-' || n || '@example.com', '{}', now() from generate_series(1, 20) n");
        long due = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        await().atMost(PATIENCE).until(() -> setting.provider.requests() == 20);
        assertThat(setting.provider.calls())
                .allSatisfy(call -> assertThat(call.nanos() - due)
                        .isBetween(
                                Duration.ofMillis(-500).toNanos(),
                                Duration.ofMillis(500).toNanos()));
        awaitDrained(app);
    }

    @Test
    void holdsNoConnectionDuringTheCall() {
        setting.with("delivery.permits", "600");
        setting.provider.slow(Duration.ofSeconds(3), Duration.ofSeconds(4));
        App app = setting.start();
        setting.signUp(0, 600);
        await().atMost(PATIENCE).until(() -> setting.provider.inFlight() == 600);
        assertThat(app.operator.metric("email_in_flight")).isEqualTo(600);
        assertThat(app.operator.metric("hikaricp_connections_active{pool=\"ledger\"}"))
                .isLessThan(5);
        assertThat(
                        Integer.parseInt(
                                setting.query(
                                        "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in%'")))
                .isLessThan(3);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 600);
        assertThat(app.operator.metric("hikaricp_connections_acquire_seconds_max{pool=\"ledger\"}"))
                .isLessThan(0.5);
        assertThat(setting.provider.mostInFlight()).isEqualTo(600);
    }

    @Test
    void rateLimitHolds() {
        setting.with("delivery.rate-limit", "20");
        App app = setting.start();
        setting.signUp(0, 60);
        await().atMost(PATIENCE).until(() -> setting.provider.acceptedUnique() == 60);
        List<TestProvider.Call> calls = setting.provider.calls();
        Duration time =
                Duration.ofNanos(calls.getLast().nanos() - calls.getFirst().nanos());
        assertThat(time).isBetween(Duration.ofMillis(2700), Duration.ofSeconds(8));
        assertThat(calls).extracting(TestProvider.Call::to).contains(address(59));
        awaitDrained(app);
    }
}
