package dev.signups.email.provider;

import dev.signups.email.provider.SendOutcome.Accepted;
import dev.signups.email.provider.SendOutcome.Doubt;
import dev.signups.email.provider.SendOutcome.Permanent;
import dev.signups.email.provider.SendOutcome.Retriable;
import dev.signups.email.provider.SendOutcome.Throttled;
import dev.signups.email.provider.SendOutcome.Unauthorised;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends by the provider's HTTP API: once per idempotency key, as long as the provider remembers the key.
 *
 * <p>A call that is cut off, times out or is answered by 5xx may have been accepted: it is retriable, and only under
 * the same key.
 */
final class HttpEmailProvider implements EmailProvider, AutoCloseable {

    private static final int LONGEST_ANSWER = 64 * 1024;
    private static final int LONGEST_TITLE = 120;

    private final URI uri;
    private final String apiKey;
    private final Duration responseTimeout;
    private final Duration defaultRetryAfter;
    private final JsonMapper json;
    private final InstantSource clock;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    HttpEmailProvider(ProviderProperties properties, JsonMapper json, InstantSource clock) {
        this.uri = properties.url().resolve("/api/emails");
        this.apiKey = properties.apiKey();
        this.responseTimeout = properties.responseTimeout();
        this.defaultRetryAfter = properties.defaultRetryAfter();
        this.json = json;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(properties.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor)
                .build();
    }

    @Override
    public SendOutcome send(Email email, IdempotencyKey key) throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> call = client.sendAsync(
                request(email, key), BodyHandlers.limiting(BodyHandlers.ofByteArray(), LONGEST_ANSWER));
        try {
            // the client's own time-out ends with the answer's headers; this one covers the body too
            return outcome(call.get(responseTimeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            call.cancel(true);
            return new Retriable("no answer within " + responseTimeout, null, Doubt.MAY_HAVE_ACCEPTED);
        } catch (InterruptedException e) {
            call.cancel(true);
            throw e;
        } catch (CancellationException e) {
            return new Retriable("call cancelled", null, Doubt.MAY_HAVE_ACCEPTED);
        } catch (ExecutionException e) {
            return failure(Objects.requireNonNull(e.getCause()));
        }
    }

    @Override
    public String credentialSetting() {
        return "EMAIL_PROVIDER_API_KEY";
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }

    private HttpRequest request(Email email, IdempotencyKey key) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("to", email.to());
        body.put("subject", email.subject());
        body.put("text", email.text());
        if (email.html() != null) {
            body.put("html", email.html());
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, application/problem+json")
                .header("Idempotency-Key", key.value())
                .POST(BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
        if (!apiKey.isEmpty()) {
            request.header("Authorization", "Bearer " + apiKey);
        }
        return request.build();
    }

    private SendOutcome outcome(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return new Accepted(messageId(response.body()));
        }
        Duration retryAfter =
                RetryAfter.parse(response.headers().firstValue("Retry-After").orElse(null), clock.instant());
        String reason = reason(status, response.body());
        return switch (status) {
            case 401, 403 -> new Unauthorised(reason);
            case 429 -> new Throttled(retryAfter == null ? defaultRetryAfter : retryAfter);
            // only a key whose first request is still running comes with a time to ask again
            case 409 ->
                retryAfter == null ? new Permanent(reason, true) : new Retriable(reason, retryAfter, Doubt.IN_PROGRESS);
            case 408, 425 -> new Retriable(reason, retryAfter, Doubt.MAY_HAVE_ACCEPTED);
            default ->
                status >= 400 && status < 500
                        ? new Permanent(reason, false)
                        : new Retriable(reason, retryAfter, Doubt.MAY_HAVE_ACCEPTED);
        };
    }

    private static SendOutcome failure(Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof ConnectException
                    || t instanceof HttpConnectTimeoutException
                    || t instanceof UnresolvedAddressException) {
                return new Retriable("provider not reached: " + t.getClass().getSimpleName(), null, Doubt.NOT_REACHED);
            }
        }
        if (cause instanceof IOException) {
            return new Retriable(
                    "connection failed: " + cause.getClass().getSimpleName(), null, Doubt.MAY_HAVE_ACCEPTED);
        }
        throw new IllegalStateException("the HTTP client failed", cause);
    }

    private @Nullable String messageId(byte[] body) {
        JsonNode answer = read(body);
        if (answer == null) {
            return null;
        }
        String id = answer.path("messageId").asString(answer.path("id").asString(""));
        return id.isEmpty() || id.length() > 200 ? null : id;
    }

    /** Status and the problem's title; never its detail, which may repeat the address. */
    private String reason(int status, byte[] body) {
        JsonNode answer = read(body);
        String title = answer == null ? "" : answer.path("title").asString("");
        if (title.isBlank() || title.contains("@")) {
            return "HTTP " + status;
        }
        String line = title.replaceAll("\\p{Cntrl}", " ");
        return "HTTP " + status + ": " + line.substring(0, Math.min(line.length(), LONGEST_TITLE));
    }

    private @Nullable JsonNode read(byte[] body) {
        try {
            JsonNode node = json.readTree(new String(body, StandardCharsets.UTF_8));
            return node.isObject() ? node : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
