package dev.signups.service.web;

import static dev.signups.service.RunningService.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PagesIT {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");
    private static final String[] HTML = {"Accept", "text/html"};

    /** Stands in for email-consumer: JSON by path. */
    private static final Map<String, String> EMAILS = new ConcurrentHashMap<>();

    private static HttpServer emailConsumer;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        emailConsumer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        emailConsumer.createContext("/", exchange -> {
            boolean operator = OPERATOR[1].equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String json = EMAILS.get(exchange.getRequestURI().getPath());
            byte[] body = json == null ? new byte[0] : json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            int status = json == null ? 404 : 200;
            exchange.sendResponseHeaders(operator ? status : 401, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        emailConsumer.start();
        service = RunningService.start(
                LocalStack.postgres(),
                "EMAIL_CONSUMER_URL=http://127.0.0.1:"
                        + emailConsumer.getAddress().getPort());
    }

    @AfterAll
    static void stop() {
        service.close();
        emailConsumer.stop(0);
    }

    @Test
    void signsUpByTheForm() {
        HttpResponse<String> response = submit(
                "/signup", Map.of("email", "form@example.com", "firstName", "Ada", "lastName", "L", "password", ""));

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location")).hasValue("/signup?done");
        assertThat(service.get("/signup?done", HTML).body()).contains("Your welcome e-mail is on its way");
        assertThat(service.query("select count(*) from outbox where payload->>'email' = 'form@example.com'"))
                .isEqualTo("1");
    }

    @Test
    void showsTheFormAgainWithWhatIsWrong() {
        HttpResponse<String> response = submit(
                "/signup", Map.of("email", "nobody", "firstName", "\"><script>alert(1)</script>", "password", "tiny"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .contains("E-mail must be an e-mail address")
                .contains("Last name is required")
                .contains("must be 8 to 72 bytes")
                .contains("value=\"nobody\"")
                .contains("&lt;script&gt;")
                .doesNotContain("<script")
                .doesNotContain("tiny");
    }

    @Test
    void saysWhenAnAddressIsTaken() {
        Map<String, String> fields = Map.of("email", "taken@example.com", "firstName", "A", "lastName", "L");
        submit("/signup", fields);

        HttpResponse<String> response = submit("/signup", fields);

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("has an account already");
    }

    @Test
    void refusesAFormFromAnotherSite() {
        HttpResponse<String> response = service.send(
                "POST",
                "/signup",
                BodyPublishers.ofString("email=forged%40example.com&firstName=A&lastName=B"),
                "Content-Type",
                "application/x-www-form-urlencoded");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(service.query("select count(*) from users where email = 'forged@example.com'"))
                .isEqualTo("0");
    }

    @Test
    void refusesAFormThatIsTooLarge() {
        HttpResponse<String> response = submit(
                "/signup", Map.of("email", "large@example.com", "firstName", "A".repeat(1 << 20), "lastName", "L"));

        assertThat(response.statusCode()).isIn(400, 403, 413);
        assertThat(service.query("select count(*) from users where email = 'large@example.com'"))
                .isEqualTo("0");
    }

    @Test
    void showsTheOperatorWhereEachWelcomeEmailIs() {
        String sent = user("sent@example.com");
        String failed = user("failed@example.com");
        user("fresh@example.com");
        String odd = user("odd@example.com");
        EMAILS.put(path(sent), "{\"userId\":\"" + sent + "\",\"status\":\"SENT\",\"attempts\":3,\"more\":1}");
        EMAILS.put(path(failed), "{\"status\":\"FAILED\",\"attempts\":10}");
        EMAILS.put(path(odd), "nonsense");

        HttpResponse<String> page = service.get("/users", OPERATOR);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(rows(page.body()))
                .anySatisfy(row -> assertThat(row).contains("sent@example.com", ">SENT<", ">3<"))
                .anySatisfy(row -> assertThat(row).contains("failed@example.com", ">FAILED<", ">10<"))
                .anySatisfy(row -> assertThat(row).contains("fresh@example.com", ">under way<"))
                .anySatisfy(row -> assertThat(row).contains("odd@example.com", ">unknown<"));
    }

    @Test
    void signsUpFromTheOperatorsPage() {
        HttpResponse<String> response =
                submit("/users", Map.of("email", "by-operator@example.com", "firstName", "<b>A</b>", "lastName", "L"));

        assertThat(response.headers().firstValue("Location")).hasValue("/users?done");
        assertThat(service.get("/users", OPERATOR).body())
                .contains("by-operator@example.com")
                .contains("&lt;b&gt;A&lt;/b&gt;");
        assertThat(submit("/users", Map.of("email", "x")).statusCode()).isEqualTo(400);
    }

    @Test
    void sendsHeadersThatForbidScriptsAndFrames() {
        HttpResponse<String> page = service.get("/signup", HTML);

        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe"));
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().allValues("Set-Cookie")).noneMatch(cookie -> cookie.contains("JSESSIONID"));
        assertThat(page.body()).doesNotContain("<script").doesNotContain("style=");
        assertThat(service.get("/style.css").statusCode()).isEqualTo(200);
    }

    @Test
    void showsErrorsAsPages() {
        HttpResponse<String> missing = service.get("/nothing", "Accept", "text/html", OPERATOR[0], OPERATOR[1]);

        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).contains("<h1>Not Found</h1>");
        assertThat(service.get("/users?before=x", "Accept", "text/html", OPERATOR[0], OPERATOR[1])
                        .statusCode())
                .isEqualTo(400);
    }

    private static String user(String email) {
        service.post(RunningService.signup(email));
        return service.query("select id from users where email = '" + email + "'");
    }

    private static String path(String user) {
        return "/api/emails/" + user + "/welcome_email";
    }

    private static List<String> rows(String page) {
        return List.of(page.split("<tr>"));
    }

    /** Loads the form, fills it in, and sends it with its token and its cookie, as a browser does. */
    private static HttpResponse<String> submit(String path, Map<String, String> fields) {
        HttpResponse<String> form = service.get(path, OPERATOR);
        Matcher token = TOKEN.matcher(form.body());
        assertThat(token.find()).isTrue();
        String cookie = form.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
        List<String> pairs = new ArrayList<>(List.of("_csrf=" + encode(token.group(1))));
        pairs.addAll(fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encode(field.getValue()))
                .collect(Collectors.toList()));
        return service.send(
                "POST",
                path,
                BodyPublishers.ofString(String.join("&", pairs)),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Cookie",
                cookie,
                OPERATOR[0],
                OPERATOR[1]);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
