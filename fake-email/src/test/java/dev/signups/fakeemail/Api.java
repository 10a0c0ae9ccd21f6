package dev.signups.fakeemail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the provider, as any other program would be one. In its JSON ' stands for ". */
final class Api implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    private final int port;

    Api(int port) {
        this.port = port;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
    }

    HttpRequest mail(String to, String key) {
        return mail(to, key, "Hello");
    }

    HttpRequest mail(String to, String key, String text) {
        var request = request("/api/emails").header("Content-Type", "application/json");
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return request.POST(body("{'to':'%s','subject':'Welcome','text':'%s'}".formatted(to, text)))
                .build();
    }

    HttpResponse<String> send(String to, String key) throws IOException {
        return exchange(mail(to, key));
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    HttpResponse<String> exchange(HttpRequest request) throws IOException {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> put(String change) throws IOException {
        return exchange(request("/api/settings")
                .header("Content-Type", "application/json")
                .PUT(body(change))
                .build());
    }

    void turn(String change) {
        try {
            var response = put(change);
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode get(String path) {
        try {
            return json(exchange(request(path).GET().build()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    long count(String counter) {
        return get("/api/sends").get(counter).longValue();
    }

    static HttpRequest.BodyPublisher body(String json) {
        return BodyPublishers.ofString(json.replace('\'', '"'));
    }

    @Override
    public void close() {
        http.close();
    }
}
