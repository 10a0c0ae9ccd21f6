package dev.signups.relay.relay;

import dev.signups.localstack.Ports;
import dev.signups.localstack.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The whole application in a JVM of its own, with short waits: can be asked over HTTP, killed and paused. */
final class RelayProcess implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final Process process;
    private final int port;
    private final Path log;

    private RelayProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Starts the application; it may not be ready yet.
     *
     * @param heap its -Xmx
     * @param environment more of its environment
     * @param properties {@code name=value}, more of its settings
     */
    static RelayProcess start(
            Outbox outbox, String kafka, String heap, Map<String, String> environment, String... properties) {
        int port = Ports.free();
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.signups.relay.OutboxRelayApplication",
                "--server.port=" + port,
                "--relay.database.slot=" + outbox.slot(),
                "--relay.database.heartbeat=1s",
                "--relay.engine.confirm-interval=100ms",
                "--relay.kafka.topic-prefix=" + outbox.database() + ".event.",
                "--relay.kafka.position-topic=" + outbox.database() + ".position",
                "--relay.kafka.dead-letter-topic=" + outbox.database() + ".dead-letter",
                "--relay.kafka.partitions=3",
                "--relay.standby-interval=50ms",
                "--relay.lease=3s",
                "--relay.restart-interval=200ms"));
        for (String property : properties) {
            command.add("--" + property);
        }
        try {
            Path log = Files.createTempFile("relay", ".log");
            log.toFile().deleteOnExit();
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().put("DB_URL", outbox.jdbcUrl());
            builder.environment().put("KAFKA_BOOTSTRAP_SERVERS", kafka);
            builder.environment().put("OPERATOR_PASSWORD", "test");
            builder.environment().putAll(environment);
            return new RelayProcess(builder.start(), port, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RelayProcess start(Outbox outbox, String kafka, String... properties) {
        return start(outbox, kafka, "192m", Map.of(), properties);
    }

    /** Waits until readiness is up. */
    RelayProcess awaitReady() {
        try {
            Awaitility.await().atMost(START_LIMIT).until(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("the relay ended with " + process.exitValue() + "\n" + log());
                }
                return readiness() == 200;
            });
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(
                    "the relay is not ready: " + get("/actuator/health/readiness") + "\n" + log(), e);
        }
        return this;
    }

    /** The status of readiness, 0 if nobody answers. */
    int readiness() {
        return get("/actuator/health/readiness").status();
    }

    /** What {@code GET /api/relay} says is its role. */
    String role() {
        return get("/api/relay").body().replaceAll("(?s).*\"role\":\"(\\w+)\".*", "$1");
    }

    /** An answer, or status 0. */
    Answer get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(3))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(0, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end. */
    int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the relay does not end\n" + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** kill -9; returns when it is dead. */
    void kill() {
        Signals.send(process.pid(), "KILL");
        exitCode(Duration.ofSeconds(10));
    }

    /** Asks it to end in order; returns when it has. */
    void stop() {
        Signals.send(process.pid(), "TERM");
        exitCode(Duration.ofSeconds(60));
    }

    void pause() {
        Signals.send(process.pid(), "STOP");
    }

    void resume() {
        Signals.send(process.pid(), "CONT");
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    record Answer(int status, String body) {}
}
