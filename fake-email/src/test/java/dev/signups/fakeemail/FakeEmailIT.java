package dev.signups.fakeemail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class FakeEmailIT {

    private static final String CALM = """
            {'latencyMinMs': 0, 'latencyMaxMs': 0, 'failureRate': 0, 'acceptThen503': 0, 'acceptThenReset': 0,
             'acceptThenHang': 0, 'hangMs': 60000, 'reject422': [], 'always503': [], 'requiredApiKey': null,
             'rateLimitPerSecond': null, 'retryAfterSeconds': 1, 'retryAfterFormat': 'seconds', 'seed': null,
             'honourIdempotencyKeys': true, 'idempotencyKeyTtlSeconds': 86400, 'outage': false}""";

    @LocalServerPort
    private int port;

    private Api api;

    @BeforeEach
    void calm() throws IOException {
        api = new Api(port);
        api.turn(CALM);
        api.exchange(api.request("/api/sends").DELETE().build());
    }

    @AfterEach
    void disconnect() {
        api.close();
    }

    @Test
    void acceptsAMail() throws IOException {
        var response = api.send("ada@example.com", "k1");

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(api.json(response).get("messageId").stringValue()).startsWith("msg_");
        assertCounts("requests", 1, "accepted", 1, "acceptedUnique", 1, "duplicates", 0, "inFlight", 0);
    }

    @Test
    void holdsThousandsOfSendsAtOnceWithoutQueueing() {
        // long enough for a busy machine to get most of them in before the first ends
        api.turn("{'latencyMinMs': 8000, 'latencyMaxMs': 8000}");
        int sends = 2_000;
        var answers = sendAtOnce(sends, "user");

        await().atMost(Duration.ofSeconds(40)).until(() -> api.count("inFlight") >= 1_500);
        assertAllAccepted(answers);
        assertCounts("requests", sends, "accepted", sends, "acceptedUnique", sends, "duplicates", 0);
        // behind 200 threads the last would have been held for 80 s
        assertThat(heldMs(0)).isBetween(8_000L, 16_000L);
        assertThat(heldMs(sends - 1)).isBetween(8_000L, 16_000L);
    }

    /** As the consumer's connections are: each is used for one e-mail after the other. */
    @Test
    void keepsLittleForAConnectionThatIsUsedAgain() {
        api.turn("{'latencyMinMs': 3000, 'latencyMaxMs': 3000}");
        assertAllAccepted(sendAtOnce(1_000, "first"));
        long before = usedHeapBytes();

        assertAllAccepted(sendAtOnce(1_000, "second"));

        // Jetty's header cache alone would be 98 KB each
        assertThat(usedHeapBytes() - before).isLessThan(1_000 * 30_000L);
    }

    private List<CompletableFuture<HttpResponse<String>>> sendAtOnce(int sends, String name) {
        return IntStream.range(0, sends)
                .mapToObj(i -> api.sendAsync(api.mail(name + i + "@example.com", name + i)))
                .toList();
    }

    private static void assertAllAccepted(List<CompletableFuture<HttpResponse<String>>> answers) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        assertThat(answers).allMatch(a -> a.join().statusCode() == 202);
    }

    private static long usedHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private long heldMs(int user) {
        JsonNode report = api.get("/api/sends?to=user" + user + "@example.com");
        return Duration.between(instant(report, "firstRequestAt"), instant(report, "firstAcceptedAt"))
                .toMillis();
    }

    @Test
    void replaysAKnownKey() throws IOException {
        var first = api.send("ada@example.com", "k1");
        var again = api.send("ada@example.com", "k1");

        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertCounts("requests", 2, "accepted", 1, "replayed", 1, "duplicates", 0);
    }

    @Test
    void countsASecondKeyAndNoKeyAsDuplicates() throws IOException {
        api.send("ada@example.com", "k1");
        api.send("ada@example.com", "k2");
        api.send("Ada@example.com", null);

        assertCounts("accepted", 3, "acceptedUnique", 1, "duplicates", 2, "replayed", 0);
    }

    @Test
    void refusesAKnownKeyWithAnotherMail() throws IOException {
        api.send("ada@example.com", "k1");
        var response = api.exchange(api.mail("ada@example.com", "k1", "Hello again"));

        assertProblem(response, 409, "idempotency-key-reused");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
        assertCounts("accepted", 1, "rejected", 1, "duplicates", 0);
    }

    @Test
    void refusesAKeyInProgressForTheMoment() throws IOException {
        api.turn("{'latencyMinMs': 1500, 'latencyMaxMs': 1500}");
        var first = api.sendAsync(api.mail("ada@example.com", "k1"));
        await().until(() -> api.count("inFlight") == 1);

        var second = api.send("ada@example.com", "k1");

        assertProblem(second, 409, "idempotency-key-in-progress");
        assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(first.join().statusCode()).isEqualTo(202);
        assertThat(api.send("ada@example.com", "k1").body())
                .isEqualTo(first.join().body());
        assertCounts("accepted", 1, "replayed", 1, "rejected", 1);
    }

    @Test
    void aFailedSendLeavesTheKeyFree() throws IOException {
        api.turn("{'failureRate': 1}");
        var failed = api.send("ada@example.com", "k1");
        assertProblem(failed, 503, "unavailable");
        assertThat(failed.headers().firstValue("Connection")).isEmpty();
        api.turn("{'failureRate': 0}");

        assertThat(api.send("ada@example.com", "k1").statusCode()).isEqualTo(202);
        assertCounts("failed", 1, "accepted", 1, "replayed", 0);
    }

    @Test
    void acceptsThen503() throws IOException {
        api.turn("{'acceptThen503': 1}");

        assertProblem(api.send("ada@example.com", "k1"), 503, "unavailable");
        assertCounts("accepted", 1, "failed", 0);
        assertThat(api.send("ada@example.com", "k1").headers().firstValue("Idempotent-Replayed"))
                .hasValue("true");
        assertCounts("accepted", 1, "replayed", 1, "duplicates", 0);
    }

    @Test
    void acceptsThenResetsTheConnection() throws IOException {
        api.turn("{'acceptThenReset': 1}");

        try (var socket = rawSend("ada@example.com", "k1")) {
            // a FIN would read as -1; only an RST makes the read fail
            assertThatIOException()
                    .isThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .withMessageContaining("reset");
        }
        assertCounts("accepted", 1, "inFlight", 0);
        assertThat(api.send("ada@example.com", "k1").statusCode()).isEqualTo(202);
        assertCounts("accepted", 1, "replayed", 1, "duplicates", 0);
    }

    @Test
    void acceptsThenHangs() throws IOException {
        api.turn("{'acceptThenHang': 1, 'hangMs': 2000}");
        var patient = api.sendAsync(api.mail("ada@example.com", "k1"));
        var impatient = api.request("/api/emails")
                .timeout(Duration.ofMillis(500))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k2")
                .POST(Api.body("{'to':'bob@example.com','subject':'Welcome','text':'Hello'}"))
                .build();

        assertThatIOException().isThrownBy(() -> api.exchange(impatient)).isInstanceOf(HttpTimeoutException.class);
        assertCounts("accepted", 2);
        assertThat(patient).isNotDone();
        assertThat(api.send("ada@example.com", "k1").headers().firstValue("Idempotent-Replayed"))
                .hasValue("true");
        assertThat(patient.join().statusCode()).isEqualTo(202);
    }

    @Test
    void rejectsAndFailsByAddress() throws IOException {
        api.turn("{'reject422': ['*@bounce.example'], 'always503': ['down@*']}");

        assertProblem(api.send("ada@bounce.example", "k1"), 422, "address-rejected");
        assertProblem(api.send("down@example.com", "k2"), 503, "unavailable");
        assertProblem(api.send("down@example.com", "k2"), 503, "unavailable");
        assertThat(api.send("ada@example.com", "k3").statusCode()).isEqualTo(202);
        assertCounts("rejected", 1, "failed", 2, "accepted", 1);
    }

    @Test
    void wantsTheApiKey() throws IOException {
        api.turn("{'requiredApiKey': 's3cret'}");
        var refused = api.send("ada@example.com", "k1");

        assertProblem(refused, 401, "unauthorised");
        assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        var accepted = api.exchange(api.request("/api/emails")
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer s3cret")
                .POST(Api.body("{'to':'ada@example.com','subject':'Welcome','text':'Hello'}"))
                .build());
        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(api.get("/api/settings").toString()).doesNotContain("s3cret");
        assertCounts("rejected", 1, "accepted", 1);
    }

    @Test
    void limitsTheRateAndSaysUntilWhenInBothForms() throws IOException {
        api.turn("{'rateLimitPerSecond': 0, 'retryAfterSeconds': 7}");
        var seconds = api.send("ada@example.com", "k1");
        assertProblem(seconds, 429, "rate-limited");
        assertThat(seconds.headers().firstValue("Retry-After")).hasValue("7");

        api.turn("{'retryAfterFormat': 'date'}");
        var earliest = Instant.now().plusSeconds(7);
        var date = api.send("ada@example.com", "k1").headers().firstValue("Retry-After");
        assertThat(ZonedDateTime.parse(date.orElseThrow(), DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant())
                .isBetween(earliest, earliest.plusSeconds(10));
        assertCounts("rateLimited", 2, "requests", 2);
    }

    @Test
    void isDownAsLongAsTheOutageLasts() throws IOException {
        api.turn("{'outageSeconds': 1, 'latencyMinMs': 3000, 'latencyMaxMs': 3000}");
        assertProblem(api.send("ada@example.com", "k1"), 503, "outage");
        var noMail = api.exchange(
                api.request("/api/emails").POST(BodyPublishers.noBody()).build());
        assertProblem(noMail, 503, "outage");
        assertCounts("failed", 2);

        await().atMost(Duration.ofSeconds(5))
                .until(() -> !api.get("/api/settings").get("outage").booleanValue());
        api.turn("{'latencyMinMs': 0, 'latencyMaxMs': 0}");
        assertThat(api.send("ada@example.com", "k1").statusCode()).isEqualTo(202);
    }

    @Test
    void canForgetAboutKeys() throws IOException {
        api.turn("{'honourIdempotencyKeys': false}");
        api.send("ada@example.com", "k1");
        api.send("ada@example.com", "k1");
        assertCounts("accepted", 2, "duplicates", 1, "replayed", 0);

        api.turn("{'honourIdempotencyKeys': true, 'idempotencyKeyTtlSeconds': 0}");
        api.send("bob@example.com", "k2");
        api.send("bob@example.com", "k2");
        assertCounts("accepted", 4, "duplicates", 2, "replayed", 0);
    }

    @Test
    void repeatsItselfWithASeed() throws IOException {
        var statuses = new ArrayList<List<Integer>>();
        for (int run = 0; run < 2; run++) {
            api.turn("{'seed': 11, 'failureRate': 0.5}");
            var answers = new ArrayList<Integer>();
            for (int i = 0; i < 30; i++) {
                answers.add(api.send("user" + run + i + "@example.com", "r" + run + i)
                        .statusCode());
            }
            statuses.add(answers);
        }
        assertThat(statuses.getFirst()).isEqualTo(statuses.getLast()).contains(202, 503);
    }

    @Test
    void refusesWhatIsNoMail() throws IOException {
        assertThat(errorsOf(post("{'to': 'ada', 'subject': '', 'text': 'Hello'}")))
                .containsExactly("to", "subject");
        assertThat(errorsOf(post("{'to': ['ada@example.com'], 'subject': 's', 'text': 't'}")))
                .containsExactly("to");
        assertThat(errorsOf(post("{'to': "))).containsExactly("body");
        assertThat(errorsOf(post("null"))).containsExactly("body");
        assertThat(errorsOf(post("[]"))).containsExactly("body");
        assertThat(errorsOf(post(""))).containsExactly("body");
        // asks first: whoever sends on after the refusal may find the connection closed before he has read it
        var announced = api.request("/api/emails")
                .header("Content-Type", "application/json")
                .expectContinue(true)
                .POST(Api.body("{'to':'ada@example.com','subject':'s','text':'" + "x".repeat(300_000) + "'}"))
                .build();
        assertProblem(api.exchange(announced), 413, "too-large");
        var chunked = api.request("/api/emails")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(new byte[300_000])))
                .build();
        assertProblem(api.exchange(chunked), 413, "too-large");
        var form = api.request("/api/emails")
                .header("Content-Type", "text/plain")
                .POST(Api.body("{}"))
                .build();
        assertProblem(api.exchange(form), 415, "not-json");
        assertProblem(api.send("ada@example.com", "k".repeat(256)), 400, "invalid-idempotency-key");
        assertProblem(api.exchange(api.request("/api/emails").GET().build()), 405, "not-post");
        assertCounts("rejected", 10, "requests", 10, "accepted", 0);
    }

    @Test
    void refusesHeadersWithoutEnd() throws IOException {
        var request = api.request("/api/emails")
                .header("X-Long", "x".repeat(20_000))
                .POST(Api.body("{}"))
                .build();
        assertThat(api.exchange(request).statusCode()).isEqualTo(431);
    }

    @Test
    void refusesBadSettings() throws IOException {
        var before = api.get("/api/settings");
        var response = api.put("{'failureRate': 2, 'latencyMinMs': 5}");

        assertProblem(response, 400, "invalid-settings");
        assertThat(errorsOf(response)).containsExactly("failureRate", "latencyMaxMs");
        for (String nonsense : List.of("{", "[]", "7", "")) {
            var refused = api.put(nonsense);
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("application/problem+json");
            assertThat(refused.body()).doesNotContain("at dev.", "Exception");
        }
        assertThat(api.put("{'reject422': ['" + "x".repeat(300_000) + "']}").statusCode())
                .isEqualTo(413);
        assertThat(api.get("/api/settings")).isEqualTo(before);
    }

    @Test
    void refusesOtherSitesPages() throws IOException {
        for (String site : List.of("cross-site", "same-site")) {
            var delete = api.request("/api/sends")
                    .header("Sec-Fetch-Site", site)
                    .DELETE()
                    .build();
            assertProblem(api.exchange(delete), 403, "cross-site");
            var put = api.request("/api/settings")
                    .header("Sec-Fetch-Site", site)
                    .header("Content-Type", "application/json")
                    .PUT(Api.body("{'outage': true}"))
                    .build();
            assertProblem(api.exchange(put), 403, "cross-site");
        }
        var own = api.request("/api/sends")
                .header("Sec-Fetch-Site", "same-origin")
                .DELETE()
                .build();
        assertThat(api.exchange(own).statusCode()).isEqualTo(204);
    }

    @Test
    void tellsWhenEachAddressWasFirstAskedFor() throws IOException {
        api.turn("{'failureRate': 1}");
        var earliest = Instant.now();
        api.send("\\\"ada, l\\\"@example.com", "k1");
        var latest = Instant.now();
        api.turn("{'failureRate': 0}");
        api.send("\\\"ada, l\\\"@example.com", "k1");

        JsonNode report = api.get("/api/sends?to=%22ada,%20l%22@example.com");
        assertThat(instant(report, "firstRequestAt")).isBetween(earliest.minusMillis(1), latest.plusMillis(1));
        assertThat(instant(report, "firstAcceptedAt")).isAfterOrEqualTo(latest.minusMillis(1));
        assertThat(report.get("sends"))
                .extracting(send -> send.get("result").stringValue())
                .containsExactly("failed", "accepted");

        var csv = api.exchange(api.request("/api/sends/first-requests").GET().build());
        assertThat(csv.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/csv");
        assertThat(csv.body())
                .matches("to,firstRequestMicros,firstAcceptedMicros,requests,accepted\r\n"
                        + "\"\"\"ada, l\"\"@example.com\",\\d{16},\\d{16},2,1\r\n");
    }

    @Test
    void logsOneLinePerSendWithoutTheAddress(CapturedOutput output) throws IOException {
        api.send("ada@example.com", "key-to-log");

        await().untilAsserted(() ->
                assertThat(output.getOut()).containsPattern("send result=accepted status=202 ms=\\d+ key=key-to-log"));
        assertThat(output.getAll()).doesNotContain("ada@example.com");
    }

    @Test
    void showsThePageHealthAndMetricsAndNothingElse() throws IOException {
        var page = api.exchange(api.request("/").GET().build());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Fake e-mail provider").doesNotContain("http://", "https://");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'self'");
        assertThat(api.get("/actuator/health/liveness").get("status").stringValue())
                .isEqualTo("UP");
        assertThat(api.get("/actuator/health/readiness").get("status").stringValue())
                .isEqualTo("UP");

        api.send("ada@example.com", "k1");
        assertThat(api.exchange(api.request("/actuator/prometheus").GET().build())
                        .body())
                .containsPattern("fake_email_requests_total\\{result=\"accepted\"} [1-9]")
                .containsPattern("(?m)^fake_email_in_flight 0")
                .containsPattern("(?m)^fake_email_send_duration_seconds_count [1-9]")
                .doesNotContain("example.com");
        assertThat(api.exchange(api.request("/actuator/env").GET().build()).statusCode())
                .isEqualTo(404);
    }

    private Socket rawSend(String to, String key) throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        String body = "{\"to\":\"" + to + "\",\"subject\":\"Welcome\",\"text\":\"Hello\"}";
        String request = "POST /api/emails HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Idempotency-Key: " + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private HttpResponse<String> post(String body) throws IOException {
        return api.exchange(api.request("/api/emails")
                .header("Content-Type", "application/json; charset=utf-8")
                .POST(Api.body(body))
                .build());
    }

    private List<String> errorsOf(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(400);
        return List.copyOf(api.json(response).get("errors").propertyNames());
    }

    private static Instant instant(JsonNode report, String field) {
        return Instant.parse(report.get(field).stringValue());
    }

    private void assertProblem(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        JsonNode problem = api.json(response);
        assertThat(problem.get("type").stringValue()).isEqualTo("urn:fake-email:problem:" + type);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
    }

    private void assertCounts(Object... namesAndValues) {
        JsonNode counts = api.get("/api/sends");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = (String) namesAndValues[i];
            assertThat(counts.get(name).longValue()).as(name).isEqualTo(((Number) namesAndValues[i + 1]).longValue());
        }
    }
}
