package dev.signups.service.signup;

import static dev.signups.service.RunningService.OPERATOR;
import static dev.signups.service.RunningService.basic;
import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.Stack;
import dev.signups.service.RunningService;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("contract")
@ExtendWith(OutputCaptureExtension.class)
class SignupApiIT {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(
                Stack.current().postgres(),
                "logging.level.dev.signups=DEBUG",
                "logging.level.org.springframework=DEBUG");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void storesUserAndEventTogether() {
        HttpResponse<String> response = service.post("""
                {"email": "  Grace.Hopper@Example.com ", "firstName": "Gr\\u00e4ce \\"Q\\"", "lastName": "O'Neill \\\\ 😀",
                 "unknown": {"ignored": [1, 2]}, "password": null}""");

        assertThat(response.statusCode()).isEqualTo(201);
        JsonNode user = JSON.readTree(response.body());
        String id = user.get("id").stringValue();
        assertThat(user.propertyNames()).containsExactly("id", "email", "firstName", "lastName", "createdAt");
        assertThat(response.headers().firstValue("Location")).hasValue("/api/users/" + id);
        assertThat(UUID.fromString(id).version()).isEqualTo(7);
        assertThat(user.get("email").stringValue()).isEqualTo("Grace.Hopper@Example.com");
        assertThat(service.query("select (u.created_at = o.created_at)::text || o.aggregatetype || o.type"
                        + " from users u join outbox o on o.aggregateid = u.id::text where u.id = '" + id + "'"))
                .isEqualTo("trueuserUserSignedUp");
        String occurredAt = service.query("select to_char(created_at at time zone 'UTC',"
                + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from users where id = '" + id + "'");
        assertThat(Instant.parse(user.get("createdAt").stringValue())).isEqualTo(Instant.parse(occurredAt));
        assertThat(service.query("select payload::text from outbox where aggregateid = '" + id + "'"))
                .isEqualTo("{\"userId\":\"" + id + "\",\"email\":\"Grace.Hopper@Example.com\","
                        + "\"firstName\":\"Gräce \\\"Q\\\"\",\"lastName\":\"O'Neill \\\\ 😀\",\"occurredAt\":\""
                        + occurredAt + "\"}");
    }

    @Test
    void passesTheTraceOn() {
        service.post(signup("traced@example.com"), "traceparent", "00-" + TRACE_ID + "-00f067aa0ba902b7-01");
        service.post(signup("untraced@example.com"), "traceparent", "00-" + TRACE_ID + "-nonsense");

        assertThat(traceOf("traced@example.com")).isEqualTo("00-" + TRACE_ID + "-00f067aa0ba902b7-01");
        assertThat(traceOf("untraced@example.com"))
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00")
                .doesNotContain(TRACE_ID);
    }

    @Test
    void takesAnAddressOnceWhateverItsCaseAndTheSpacesAroundIt() throws Exception {
        for (int round = 0; round < 20; round++) {
            String name = "twice" + round;
            List<Callable<HttpResponse<String>>> attempts = new ArrayList<>();
            for (String email : List.of(
                    name + "@example.com", name.toUpperCase() + "@Example.COM", "  " + name + "@example.com  ")) {
                attempts.add(() -> service.post(signup(email)));
            }
            Collections.shuffle(attempts, ThreadLocalRandom.current());
            List<Integer> codes = new ArrayList<>();
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<HttpResponse<String>> answer : clients.invokeAll(attempts)) {
                    codes.add(answer.get().statusCode());
                    if (answer.get().statusCode() == 409) {
                        assertProblem(answer.get(), 409);
                    }
                }
            }
            assertThat(codes).containsExactlyInAnyOrder(201, 409, 409);
        }
        assertThat(service.query("select count(*) from users where email ilike 'twice%'"))
                .isEqualTo("20");
        assertThat(service.query("select count(*) from outbox where payload->>'email' ilike 'twice%'"))
                .isEqualTo("20");
    }

    @Test
    void knowsTheCaseOfLettersBeyondAscii() {
        assertThat(service.post(signup("jürgen@example.com")).statusCode()).isEqualTo(201);
        assertThat(service.post(signup("JÜRGEN@example.com")).statusCode()).isEqualTo(409);
    }

    static Stream<Arguments> badBodies() {
        String valid = signup("bad@example.com");
        return Stream.of(
                Arguments.of("empty", bytes(""), "application/json", 400),
                Arguments.of("blank", bytes(" \n"), "application/json", 400),
                Arguments.of("no JSON", bytes("email=bad"), "application/json", 400),
                Arguments.of("cut off", bytes(valid.substring(0, 30)), "application/json", 400),
                Arguments.of("two values", bytes(valid + valid), "application/json", 400),
                Arguments.of("an array", bytes("[" + valid + "]"), "application/json", 400),
                Arguments.of("a string", bytes("\"bad\""), "application/json", 400),
                Arguments.of("null", bytes("null"), "application/json", 400),
                Arguments.of(
                        "a field twice",
                        bytes(valid.replace("{", "{\"email\":\"b@example.com\",")),
                        "application/json",
                        400),
                Arguments.of("wrong type", bytes(valid.replace("\"Grace\"", "5")), "application/json", 400),
                Arguments.of("object for a name", bytes(valid.replace("\"Grace\"", "{}")), "application/json", 400),
                Arguments.of("NUL in a name", bytes(valid.replace("Grace", "Gr\\u0000ace")), "application/json", 400),
                Arguments.of(
                        "half a surrogate", bytes(valid.replace("Grace", "Gr\\ud83dace")), "application/json", 400),
                Arguments.of("line feed in a name", bytes(valid.replace("Grace", "Gr\\nace")), "application/json", 400),
                Arguments.of(
                        "line feed in the address",
                        bytes(valid.replace("bad@", "bad\\r\\n@")),
                        "application/json",
                        400),
                Arguments.of("invalid UTF-8", latin1(valid.replace("Grace", "Gräce")), "application/json", 400),
                Arguments.of("overlong NUL", latin1(valid.replace("Grace", "\u00C0\u0080")), "application/json", 400),
                Arguments.of("UTF-16", valid.getBytes(StandardCharsets.UTF_16), "application/json", 400),
                Arguments.of(
                        "deep nesting",
                        bytes(valid.replace("}", ",\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}")),
                        "application/json",
                        400),
                Arguments.of(
                        "huge number",
                        bytes(valid.replace("}", ",\"x\":" + "9".repeat(5000) + "}")),
                        "application/json",
                        400),
                Arguments.of("1 MB", bytes(valid.replace("Grace", "G".repeat(1 << 20))), "application/json", 413),
                Arguments.of("1 MB of spaces", bytes(valid + " ".repeat(1 << 20)), "application/json", 413),
                Arguments.of("a form", bytes("email=bad%40example.com"), "application/x-www-form-urlencoded", 415),
                Arguments.of("text", bytes(valid), "text/plain", 415),
                Arguments.of("nonsense type", bytes(valid), "nonsense", 415));
    }

    @ParameterizedTest(name = "{0} -> {3}")
    @MethodSource("badBodies")
    void refusesAndStoresNothing(String name, byte[] body, String contentType, int status) {
        long before = service.rows("users") + service.rows("outbox");

        for (BodyPublisher publisher : List.of(
                BodyPublishers.ofByteArray(body),
                // chunked: no Content-Length to go by
                BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(List.of(body))))) {
            assertProblem(service.send("POST", "/api/users", publisher, "Content-Type", contentType), status);
        }

        assertThat(service.rows("users") + service.rows("outbox")).isEqualTo(before);
    }

    @Test
    void namesEachBadField() {
        HttpResponse<String> response =
                service.post("{\"email\": \"secret-nobody\", \"firstName\": 5, \"password\": \"short\"}");

        JsonNode problem = assertProblem(response, 400);
        assertThat(problem.get("errors")
                        .valueStream()
                        .map(error -> error.get("field").stringValue()))
                .containsExactly("email", "firstName", "lastName", "password");
        assertThat(response.body()).doesNotContain("secret-nobody");
    }

    @Test
    void refusesABodyWithoutAType() {
        assertProblem(service.send("POST", "/api/users", BodyPublishers.ofString(signup("untyped@example.com"))), 415);
    }

    @Test
    void answersProblemsToOtherMistakes() {
        assertProblem(service.send("PUT", "/api/users", BodyPublishers.noBody()), 405);
        assertProblem(service.post(signup("picky@example.com"), "Accept", "text/csv"), 406);
        assertProblem(service.get("/api/users/" + new UUID(0, 0), OPERATOR), 404);
        assertProblem(service.get("/api/nothing", OPERATOR), 404);
        assertProblem(service.get("/api/users/7", OPERATOR), 400);
        assertProblem(service.get("/api/users?limit=0", OPERATOR), 400);
        assertProblem(service.get("/api/users?limit=x", OPERATOR), 400);
        assertProblem(service.get("/api/users?before=yesterday", OPERATOR), 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/users",
                "/api/users/0198f0c2-6b1e-7c3a-9f5d-2f1c8a4b7e60",
                "/users",
                "/actuator/env",
                "/nothing"
            })
    void showsNothingWithoutTheOperatorsLogin(String path) {
        assertProblem(service.get(path), 401);
        assertProblem(service.get(path, "Authorization", basic("operator", "wrong")), 401);
        assertProblem(service.get(path, "Authorization", basic("admin", RunningService.OPERATOR_PASSWORD)), 401);
        assertThat(service.get(path).headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("Basic"));
    }

    @Test
    void showsUsersToTheOperatorNewestFirst() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            JsonNode user = JSON.readTree(
                    service.post(signup("page" + i + "@example.com")).body());
            ids.addFirst(user.get("id").stringValue());
            assertThat(JSON.readTree(service.get("/api/users/" + ids.getFirst(), OPERATOR)
                            .body()))
                    .isEqualTo(user);
        }

        HttpResponse<String> first = service.get("/api/users?limit=2", OPERATOR);
        assertThat(idsOf(first)).isEqualTo(ids.subList(0, 2));
        assertThat(first.headers().firstValue("Link"))
                .hasValue("</api/users?limit=2&before=" + ids.get(1) + ">; rel=\"next\"");
        assertThat(idsOf(service.get("/api/users?limit=2&before=" + ids.get(1), OPERATOR)))
                .isEqualTo(ids.subList(2, 4));
        String time = JSON.readTree(first.body()).get(1).get("createdAt").stringValue();
        assertThat(idsOf(service.get("/api/users?limit=2&before=" + time, OPERATOR)))
                .isEqualTo(ids.subList(2, 4));
    }

    @Test
    void keepsOnlyTheHashOfAPassword(CapturedOutput output) {
        String password = "pässword-" + "x".repeat(10);
        HttpResponse<String> response = service.post("""
                {"email": "hashed@example.com", "firstName": "Ada", "lastName": "Lovelace", "password": "%s"}""".formatted(password));
        service.post(signup("hashed@example.com").replace("}", ",\"password\":\"" + password + "\"}"));
        service.post("{\"email\": 1, \"password\": \"" + password + "\"}");

        assertThat(response.statusCode()).isEqualTo(201);
        String hash = service.query("select password_hash from users where email = 'hashed@example.com'");
        assertThat(new BCryptPasswordEncoder().matches(password, hash)).isTrue();
        assertThat(response.body()).doesNotContain("pass").doesNotContain("$2a$");
        assertThat(service.query("select string_agg(o::text, ' ') from outbox o"))
                .doesNotContain(password)
                .doesNotContain("$2a$");
        assertThat(service.get("/actuator/prometheus").body())
                .doesNotContain("hashed@")
                .doesNotContain(password);
        assertThat(output.getAll())
                .contains("Signed up: userId=")
                .doesNotContain("pässword")
                .doesNotContain("$2a$")
                .doesNotContain("hashed@example.com")
                .doesNotContain("Lovelace");
    }

    @Test
    void countsWhatCameOfSignups() {
        service.post(signup("counted@example.com"));
        service.post(signup("counted@example.com"));
        service.post("{}");

        assertThat(service.get("/actuator/prometheus").body())
                .contains("signups_total{outcome=\"created\"}")
                .contains("signups_total{outcome=\"taken\"}")
                .contains("signups_total{outcome=\"invalid\"}")
                .contains("outbox_append_seconds_bucket")
                .containsPattern("http_server_requests_seconds_bucket\\{[^}]*method=\"POST\"[^}]*uri=\"/api/users\"");
        assertThat(service.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(service.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
    }

    private static List<String> idsOf(HttpResponse<String> page) {
        return JSON.readTree(page.body())
                .valueStream()
                .map(user -> user.get("id").stringValue())
                .toList();
    }

    private static String traceOf(String email) {
        return service.query("select traceparent from outbox where payload->>'email' = '" + email + "'");
    }

    private static JsonNode assertProblem(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("title").stringValue()).isNotBlank();
        return problem;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
