package dev.signups.email.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.signups.email.App;
import dev.signups.email.Setting;
import dev.signups.email.TestProvider;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {

    private final Setting setting = new Setting();
    private App app;

    @BeforeAll
    void start() {
        setting.provider.behave((call, n) ->
                call.to().startsWith("refused") ? TestProvider.refuse(422) : new TestProvider.Answer.Accept());
        app = setting.start();
        setting.signUp(0, 30);
        setting.signUp("refused", "refused@example.com");
        await().atMost(Duration.ofSeconds(60)).until(() -> setting.count("status in ('SENT', 'FAILED')") == 31);
    }

    @AfterAll
    void stop() {
        setting.close();
    }

    @Test
    void nothingButHealthAndMetricsIsOpen() {
        for (String path : List.of("/api/emails", "/api/queue", "/api/bad-records", "/emails", "/actuator/env", "/x")) {
            assertThat(app.operator.send("GET", path, "", false).statusCode())
                    .as(path)
                    .isEqualTo(401);
        }
        for (String path : List.of("/actuator/health/liveness", "/actuator/health/readiness", "/actuator/prometheus")) {
            assertThat(app.operator.send("GET", path, "", false).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(app.operator
                        .send("GET", "/api/queue", "", false, "Authorization", "Basic b3BlcmF0b3I6d3Jvbmc=")
                        .statusCode())
                .isEqualTo(401);
        assertThat(app.operator.send("GET", "/actuator/env", "", true).statusCode())
                .isEqualTo(403);
    }

    @Test
    void otherSitesCannotRideTheLogin() {
        assertThat(app.operator
                        .send("POST", "/api/emails/resume", "", true, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(app.operator
                        .send("POST", "/emails/resume", "", true, "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(app.operator
                        .send("POST", "/emails/resume", "", true, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(302);
    }

    @Test
    void listsPageByPageWithoutAddresses() {
        HttpResponse<String> first = app.operator.send("GET", "/api/emails?limit=20", "", true);
        assertThat(first.body()).doesNotContain("@").doesNotContain("Grace");
        String link = first.headers().firstValue("Link").orElseThrow();
        assertThat(link).endsWith("rel=\"next\"");
        String next = link.substring(link.indexOf("/api"), link.indexOf('>'));
        HttpResponse<String> second = app.operator.send("GET", next, "", true);
        assertThat(second.headers().firstValue("Link")).isEmpty();
        JsonNode failed = app.operator.get("/api/emails?status=FAILED");
        assertThat(failed.valueStream().map(d -> d.path("userId").asString())).contains("refused");
    }

    @Test
    void mistakesAreProblemDocuments() {
        assertThat(app.operator.send("GET", "/api/emails/nobody/welcome_email", "", true))
                .satisfies(response -> {
                    assertThat(response.statusCode()).isEqualTo(404);
                    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
                });
        for (String path : List.of("/api/emails?limit=0", "/api/emails?limit=x", "/api/emails?status=LOST")) {
            assertThat(app.operator.send("GET", path, "", true)).as(path).satisfies(response -> {
                assertThat(response.statusCode()).isEqualTo(400);
                assertThat(response.body()).doesNotContain("Exception");
            });
        }
        assertThat(app.operator.post("/api/emails/retry?status=SENT")).isEqualTo(400);
    }

    @Test
    void suppressedAddressGetsNothing() {
        String body = "{\"address\":\"Never@Example.com\",\"reason\":\"asked us to\"}";
        assertThat(app.operator.send("POST", "/api/suppressions", body, true).statusCode())
                .isEqualTo(201);
        assertThat(app.operator.send("POST", "/api/suppressions", body, true).statusCode())
                .isEqualTo(409);
        assertThat(app.operator
                        .send("POST", "/api/suppressions", "{\"address\":\"\"}", true)
                        .statusCode())
                .isEqualTo(400);
        setting.signUp("never", "never@example.com");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> setting.count("user_id = 'never' and status = 'FAILED'") == 1);
        assertThat(app.operator.post("/api/emails/never/welcome_email/retry")).isEqualTo(409);
        assertThat(app.operator.send("DELETE", "/api/suppressions", body, true).statusCode())
                .isEqualTo(204);
        assertThat(app.operator.post("/api/emails/never/welcome_email/retry")).isEqualTo(202);
        await().atMost(Duration.ofSeconds(30)).until(() -> setting.count("user_id = 'never' and status = 'SENT'") == 1);
    }

    /** A row that was taken in before its address was suppressed. */
    @Test
    void suppressionReachesWhatWaits() {
        assertThat(app.operator
                        .send("POST", "/api/suppressions", "{\"address\":\"late@example.com\"}", true)
                        .statusCode())
                .isEqualTo(201);
        setting.execute("insert into email_delivery (user_id, email_type, status, attempts, next_attempt_at, recipient,"
                + " arguments, event_time) values ('late', 'welcome_email', 'PENDING', 1, now(), 'late@example.com', '{}',"
                + " now())");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> setting.count("user_id = 'late' and status in ('SENT', 'FAILED')") == 1);
        assertThat(setting.count("user_id = 'late' and last_outcome = 'suppressed'"))
                .isEqualTo(1);
    }

    @Test
    void pageShowsTheQueueAndNoAddress() {
        HttpResponse<String> page = app.operator.send("GET", "/emails?status=FAILED", "", true);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("refused", "HTTP 422: as told", "Retry")
                .doesNotContain("@example.com");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'");
        assertThat(app.operator.send("GET", "/css/emails.css", "", false).statusCode())
                .isEqualTo(200);
    }

    @Test
    void metricsAreAllThere() {
        String page =
                app.operator.send("GET", "/actuator/prometheus", "", false).body();
        assertThat(page)
                .contains(
                        "email_queue_depth",
                        "email_oldest_pending_age_seconds",
                        "email_in_flight",
                        "email_sends_total{outcome=\"accepted\"}",
                        "email_attempts_bucket",
                        "email_delivery_latency_seconds_bucket",
                        "email_breaker_state",
                        "email_bad_records_total")
                .doesNotContain("@example.com");
    }

    @Test
    void withoutAPasswordItDoesNotStart() {
        try (Setting other = new Setting()) {
            other.with("operator.password", "");
            assertThatThrownBy(other::start).hasStackTraceContaining("OPERATOR_PASSWORD");
        }
    }
}
