package dev.signups.loadtests.experiments;

import dev.signups.loadtests.Pipeline;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Asks the services, as the operator. */
final class Http implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String LOGIN = "Basic "
            + Base64.getEncoder().encodeToString(("operator:" + Pipeline.PASSWORD).getBytes(StandardCharsets.UTF_8));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return client.send(request(url).GET().build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).header("Authorization", LOGIN);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
