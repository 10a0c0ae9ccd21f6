package dev.signups.fakeemail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

class LifecycleIT {

    @Test
    void answersWhatIsInFlightBeforeItStops() {
        var provider = start(
                "--fake-email.settings.failure-rate=0",
                "--fake-email.settings.latency-min-ms=2000",
                "--fake-email.settings.latency-max-ms=2000");
        try (var api = apiOf(provider)) {
            var answer = api.sendAsync(api.mail("ada@example.com", "k1"));
            await().until(() -> api.count("inFlight") == 1);

            provider.close();

            assertThat(answer.join().statusCode()).isEqualTo(202);
        } finally {
            provider.close();
        }
    }

    @Test
    void closesIdleConnectionsButNoneThatWaitsForItsAnswer() throws IOException {
        var provider = start(
                "--server.jetty.connection-idle-timeout=400ms",
                "--fake-email.settings.failure-rate=0",
                "--fake-email.settings.latency-min-ms=2000",
                "--fake-email.settings.latency-max-ms=2000");
        try (var api = apiOf(provider);
                var stalled = new Socket("127.0.0.1", portOf(provider))) {
            stalled.setSoTimeout(20_000);
            stalled.getOutputStream()
                    .write(("POST /api/emails HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 100\r\n\r\n{\"to\":")
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(api.send("ada@example.com", "k1").statusCode()).isEqualTo(202);
            assertThat(new String(stalled.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 408")
                    .contains("application/problem+json")
                    .doesNotContain("Exception");
            assertThat(api.count("requests")).isEqualTo(1);
            await().untilAsserted(() -> assertThat(api.count("inFlight")).isZero());
        } finally {
            provider.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "fake-email.settings.failure-rate=2, failureRate must be between 0 and 1",
        "fake-email.settings.latency-max-ms=100, latencyMaxMs must not be below latencyMinMs",
        "fake-email.send.max-body=1B, fake-email.send.max-body",
        "fake-email.log.capacity=-1, capacity"
    })
    void badConfigurationStopsTheStartAndNamesTheKey(String setting, String named) {
        assertThatThrownBy(() -> start("--" + setting).close())
                .satisfies(e -> assertThat(chain(e))
                        .anyMatch(cause -> String.valueOf(cause).contains(named)));
    }

    private static Stream<Throwable> chain(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
    }

    private static ConfigurableApplicationContext start(String... settings) {
        String[] arguments = Arrays.copyOf(settings, settings.length + 1);
        arguments[settings.length] = "--server.port=0";
        return new SpringApplicationBuilder(FakeEmailApplication.class).run(arguments);
    }

    private static int portOf(ConfigurableApplicationContext provider) {
        return ((WebServerApplicationContext) provider).getWebServer().getPort();
    }

    private static Api apiOf(ConfigurableApplicationContext provider) {
        return new Api(portOf(provider));
    }
}
