package dev.signups.loadtests.delivery.peer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** One blocking call to the provider, as all three peers make it: no idempotency key, since nothing gives them one. */
final class EmailClient {

    private static final int ACCEPTED = 202;

    private final URI emails;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    EmailClient(String provider) {
        this.emails = URI.create(provider + "/api/emails");
    }

    /** The provider did not accept. */
    static final class NotSentException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotSentException(String message) {
            super(message);
        }
    }

    void sendWelcome(String address) {
        HttpRequest request = HttpRequest.newBuilder(emails)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString("""
                        {"to":"%s","subject":"Welcome!","text":"Welcome aboard."}""".formatted(address)))
                .build();
        try {
            int status = http.send(request, BodyHandlers.discarding()).statusCode();
            if (status != ACCEPTED) {
                throw new NotSentException("HTTP " + status);
            }
        } catch (IOException e) {
            throw new NotSentException(e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotSentException("interrupted");
        }
    }
}
