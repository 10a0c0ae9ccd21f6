package dev.signups.loadtests.delivery;

import dev.signups.loadtests.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The provider's dials and its judgement. */
public final class Provider {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String url;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The provider at an address. */
    public Provider(String url) {
        this.url = url;
    }

    /**
     * What the provider saw of an address; times in microseconds since the epoch.
     *
     * @param firstAccepted 0: never accepted
     */
    public record Send(long firstRequest, long firstAccepted, int requests, int accepted) {}

    /** How fast and how reliable it is. */
    public void pace(int fromMillis, int toMillis, double failureRate) throws IOException, InterruptedException {
        settings("{\"latencyMinMs\":%d,\"latencyMaxMs\":%d,\"failureRate\":%s}"
                .formatted(fromMillis, toMillis, Double.toString(failureRate)));
    }

    /** Refuses the addresses of a pattern. */
    public void refuse(String pattern) throws IOException, InterruptedException {
        settings("{\"reject422\":[\"" + pattern + "\"]}");
    }

    /** 503 for everything at once, or not any more. */
    public void outage(boolean outage) throws IOException, InterruptedException {
        settings("{\"outage\":" + outage + "}");
    }

    /** Forgets all counters and addresses. */
    public void clear() throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(URI.create(url + "/api/sends")).DELETE());
    }

    /** A counter of {@code GET /api/sends}. */
    public long count(String name) throws IOException, InterruptedException {
        return Json.number(send(HttpRequest.newBuilder(URI.create(url + "/api/sends"))), name);
    }

    /** The same of one address. */
    public long count(String name, String address) throws IOException, InterruptedException {
        return Json.number(send(HttpRequest.newBuilder(URI.create(url + "/api/sends?to=" + address))), name);
    }

    /** Whether an address was accepted. */
    public boolean hasAccepted(String address) throws IOException, InterruptedException {
        return count("accepted", address) > 0;
    }

    /** Waits until so many addresses are accepted and nothing is in flight. */
    public boolean awaitAccepted(long addresses, Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            if (count("acceptedUnique") >= addresses && count("inFlight") == 0) {
                return true;
            }
            Thread.sleep(200);
        }
        return false;
    }

    /** What it saw, by address. */
    public Map<String, Send> sends() throws IOException, InterruptedException {
        Map<String, Send> sends = new HashMap<>();
        String text = send(HttpRequest.newBuilder(URI.create(url + "/api/sends/first-requests")));
        text.lines().skip(1).forEach(line -> {
            String[] cells = line.split(",", -1);
            sends.put(
                    cells[0].replace("\"", "").toLowerCase(Locale.ROOT),
                    new Send(
                            Long.parseLong(cells[1]),
                            cells[2].isEmpty() ? 0 : Long.parseLong(cells[2]),
                            Integer.parseInt(cells[3]),
                            Integer.parseInt(cells[4])));
        });
        return sends;
    }

    private void settings(String json) throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(URI.create(url + "/api/settings"))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json)));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException("the provider answered " + response.statusCode() + " to " + response.uri());
        }
        return response.body();
    }
}
