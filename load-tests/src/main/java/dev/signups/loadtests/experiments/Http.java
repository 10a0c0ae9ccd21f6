package dev.signups.loadtests.experiments;

import dev.signups.loadtests.Pipeline;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    void put(String url, String json) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                request(url)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException("PUT " + url + " was answered " + answer.statusCode());
        }
    }

    /** The first number of that name in a JSON document. */
    static long number(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        if (!matcher.find()) {
            throw new IllegalStateException("there is no number \"" + name + "\" in the answer");
        }
        return Long.parseLong(matcher.group(1));
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).header("Authorization", LOGIN);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
