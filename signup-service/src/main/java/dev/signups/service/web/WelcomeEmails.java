package dev.signups.service.web;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/**
 * Asks email-consumer how far users' welcome e-mails are.
 *
 * <p>A courtesy to the page: an answer that does not come in time is "unknown", never a failure.
 */
@Component
class WelcomeEmails implements AutoCloseable {

    private static final String TYPE = "welcome_email";

    private final RestClient http;
    private final Duration timeLimit;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    WelcomeEmails(EmailConsumerProperties emailConsumer, OperatorProperties operator) {
        this.timeLimit = emailConsumer.timeLimit();
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeLimit)
                .executor(threads)
                .build();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(client);
        requests.setReadTimeout(timeLimit);
        this.http = RestClient.builder()
                .baseUrl(emailConsumer.url())
                .requestFactory(requests)
                .defaultHeaders(headers -> headers.setBasicAuth(OperatorLogin.OPERATOR, operator.password()))
                .build();
    }

    /** The state of each user's welcome e-mail, asked for all at once. */
    Map<UUID, WelcomeEmail> of(List<UUID> users) {
        List<Callable<WelcomeEmail>> questions =
                users.stream().map(id -> (Callable<WelcomeEmail>) () -> ask(id)).toList();
        Map<UUID, WelcomeEmail> answers = new HashMap<>();
        try {
            List<Future<WelcomeEmail>> asked =
                    threads.invokeAll(questions, timeLimit.toMillis(), TimeUnit.MILLISECONDS);
            for (int i = 0; i < asked.size(); i++) {
                answers.put(users.get(i), answer(asked.get(i)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return answers;
    }

    private static WelcomeEmail answer(Future<WelcomeEmail> asked) throws InterruptedException {
        if (asked.isCancelled()) {
            return WelcomeEmail.UNKNOWN;
        }
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("asking for a welcome e-mail failed", e.getCause());
        }
    }

    private WelcomeEmail ask(UUID user) {
        try {
            Delivery delivery = http.get()
                    .uri("/api/emails/{user}/{type}", user, TYPE)
                    .retrieve()
                    .body(Delivery.class);
            return delivery == null || delivery.status() == null
                    ? WelcomeEmail.UNKNOWN
                    : new WelcomeEmail(delivery.status(), delivery.attempts());
        } catch (HttpClientErrorException.NotFound e) {
            return WelcomeEmail.UNDER_WAY;
        } catch (RestClientException e) {
            return WelcomeEmail.UNKNOWN;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }

    private record Delivery(@Nullable String status, int attempts) {}

    /**
     * What the page shows of an e-mail.
     *
     * @param status email-consumer's word for it, or one of ours in small letters
     * @param attempts how often it was tried
     */
    record WelcomeEmail(String status, int attempts) {

        /** Email-consumer has not seen the event yet. */
        static final WelcomeEmail UNDER_WAY = new WelcomeEmail("under way", 0);
        /** Email-consumer did not answer. */
        static final WelcomeEmail UNKNOWN = new WelcomeEmail("unknown", 0);
    }
}
