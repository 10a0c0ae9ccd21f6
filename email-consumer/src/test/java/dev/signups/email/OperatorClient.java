package dev.signups.email;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The application as an operator's program sees it. */
public final class OperatorClient {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private static final JsonMapper JSON = new JsonMapper();

    private final int port;

    OperatorClient(int port) {
        this.port = port;
    }

    public JsonNode get(String path) {
        HttpResponse<String> response = send("GET", path, "", true);
        if (response.statusCode() != 200) {
            throw new IllegalStateException(path + " answered " + response.statusCode() + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    public JsonNode queue() {
        return get("/api/queue");
    }

    public int post(String path) {
        return send("POST", path, "", true).statusCode();
    }

    public HttpResponse<String> send(String method, String path, String body, boolean login, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (login) {
            String pair = "operator:" + Setting.PASSWORD;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> readiness() {
        return send("GET", "/actuator/health/readiness", "", false);
    }

    /** A sample by its full name with tags, as in {@code email_sends_total{outcome="accepted"}}. */
    public double metric(String sample) {
        String page = send("GET", "/actuator/prometheus", "", false).body();
        Matcher matcher =
                Pattern.compile("(?m)^" + Pattern.quote(sample) + " (\\S+)$").matcher(page);
        if (!matcher.find()) {
            throw new IllegalStateException("no sample " + sample + " in\n"
                    + page.lines().filter(l -> l.startsWith("email_")).toList());
        }
        return Double.parseDouble(matcher.group(1));
    }
}
