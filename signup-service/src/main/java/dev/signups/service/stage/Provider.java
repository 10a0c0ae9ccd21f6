package dev.signups.service.stage;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Calls the provider as the article does: one request, no idempotency key, and no time limit unless one is set. */
class Provider {

    private final ProviderProperties properties;
    private final JsonMapper json = JsonMapper.shared();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Provider(ProviderProperties properties) {
        this.properties = properties;
    }

    /**
     * Returns when the provider has taken the e-mail.
     *
     * @throws EmailNotSentException when it has not, or when nobody knows
     */
    void sendWelcome(String address, String firstName) {
        HttpRequest.Builder request = HttpRequest.newBuilder(properties.url().resolve("/api/emails"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json.writeValueAsString(Map.of(
                        "to", address, "subject", "Welcome!", "text", "Hello " + firstName + ", welcome aboard."))));
        if (properties.timeLimit() != null) {
            request.timeout(properties.timeLimit());
        }
        try {
            HttpResponse<Void> response = http.send(request.build(), BodyHandlers.discarding());
            if (response.statusCode() / 100 != 2) {
                throw new EmailNotSentException("the provider answered " + response.statusCode());
            }
        } catch (IOException e) {
            throw new EmailNotSentException(
                    "the provider did not answer: " + e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmailNotSentException("interrupted");
        }
    }
}
