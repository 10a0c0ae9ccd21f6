package dev.signups.email.provider;

import static dev.signups.email.TestProvider.refuse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.email.TestProvider;
import dev.signups.email.provider.SendOutcome.Doubt;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class HttpEmailProviderIT {

    private static final Email EMAIL = new Email("a@example.com", "Hello", "text", "<p>text</p>");
    private static final IdempotencyKey KEY = IdempotencyKey.of("welcome_email", "u-1", 0);

    private final TestProvider server = TestProvider.start();
    private final HttpEmailProvider provider = provider(server.url());

    private static HttpEmailProvider provider(String url) {
        return new HttpEmailProvider(
                new ProviderProperties(
                        ProviderProperties.Kind.HTTP,
                        URI.create(url),
                        "secret-key",
                        "from@example.com",
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5)),
                new JsonMapper(),
                InstantSource.system());
    }

    @AfterEach
    void close() {
        provider.close();
        server.close();
    }

    @Test
    void acceptedCarriesTheProvidersId() throws Exception {
        assertThat(provider.send(EMAIL, KEY))
                .isInstanceOfSatisfying(
                        SendOutcome.Accepted.class,
                        accepted -> assertThat(accepted.messageId()).startsWith("m-"));
        assertThat(server.calls()).singleElement().satisfies(call -> {
            assertThat(call.key()).isEqualTo("welcome_email:u-1");
            assertThat(call.authorization()).contains("Bearer secret-key");
            assertThat(call.html()).isEqualTo("<p>text</p>");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 409, 410, 413, 422})
    void refusalsOfTheMessageArePermanent(int status) throws Exception {
        server.behave((call, n) -> refuse(status));
        assertThat(provider.send(EMAIL, KEY))
                .isEqualTo(new SendOutcome.Permanent("HTTP " + status + ": as told", status == 409));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 500, 502, 503, 504, 302})
    void faultsAreRetriableAndInDoubt(int status) throws Exception {
        server.behave((call, n) -> refuse(status, "Retry-After", "9"));
        assertThat(provider.send(EMAIL, KEY))
                .isEqualTo(new SendOutcome.Retriable(
                        "HTTP " + status + ": as told", Duration.ofSeconds(9), Doubt.MAY_HAVE_ACCEPTED));
    }

    @Test
    void aKeyInProgressIsAskedAgainSoon() throws Exception {
        server.behave((call, n) -> refuse(409, "Retry-After", "1"));
        assertThat(provider.send(EMAIL, KEY))
                .isEqualTo(new SendOutcome.Retriable("HTTP 409: as told", Duration.ofSeconds(1), Doubt.IN_PROGRESS));
    }

    @Test
    void throttledWaitsAsLongAsTold() throws Exception {
        server.behave((call, n) -> refuse(429, "Retry-After", "7"));
        assertThat(provider.send(EMAIL, KEY)).isEqualTo(new SendOutcome.Throttled(Duration.ofSeconds(7)));
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(60));
        server.behave((call, n) -> refuse(429, "Retry-After", date));
        assertThat(provider.send(EMAIL, KEY))
                .isInstanceOfSatisfying(
                        SendOutcome.Throttled.class,
                        throttled -> assertThat(throttled.retryAfter())
                                .isBetween(Duration.ofSeconds(55), Duration.ofSeconds(60)));
        server.behave((call, n) -> refuse(429));
        assertThat(provider.send(EMAIL, KEY)).isEqualTo(new SendOutcome.Throttled(Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void refusedCredentials(int status) throws Exception {
        server.behave((call, n) -> refuse(status));
        assertThat(provider.send(EMAIL, KEY)).isInstanceOf(SendOutcome.Unauthorised.class);
    }

    @Test
    void aCutConnectionIsInDoubt() throws Exception {
        server.behave((call, n) -> new TestProvider.Answer.AcceptThenReset());
        assertThat(provider.send(EMAIL, KEY))
                .isInstanceOfSatisfying(
                        SendOutcome.Retriable.class,
                        outcome -> assertThat(outcome.doubt()).isEqualTo(Doubt.MAY_HAVE_ACCEPTED));
    }

    @Test
    void aSilentProviderIsInDoubtAfterTheTimeOut() throws Exception {
        server.behave((call, n) -> new TestProvider.Answer.AcceptThenHang(Duration.ofSeconds(30)));
        assertThat(provider.send(EMAIL, KEY))
                .isEqualTo(new SendOutcome.Retriable("no answer within PT2S", null, Doubt.MAY_HAVE_ACCEPTED));
    }

    @Test
    void anAnswerThatNeverEndsIsCutOffToo() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    var connection = socket.accept();
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n{"
                                    .getBytes(StandardCharsets.US_ASCII));
                    connection.getInputStream().readAllBytes();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (HttpEmailProvider slow = provider("http://127.0.0.1:" + socket.getLocalPort())) {
                assertThat(slow.send(EMAIL, KEY))
                        .isEqualTo(new SendOutcome.Retriable("no answer within PT2S", null, Doubt.MAY_HAVE_ACCEPTED));
            }
        }
    }

    @Test
    void nobodyThereIsCertainlyNotAccepted() throws Exception {
        server.down();
        assertThat(provider.send(EMAIL, KEY))
                .isEqualTo(
                        new SendOutcome.Retriable("provider not reached: ConnectException", null, Doubt.NOT_REACHED));
    }
}
