package dev.signups.loadtests.relay;

import dev.signups.loadtests.Workspace;
import dev.signups.localstack.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A publisher in a JVM of its own. All have the same heap, collector, compiler and object layout. */
final class Contender implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private static final int TICKS_PER_SECOND = 100;

    private final Process process;
    private final int httpPort;
    private final Path log;

    private Contender(List<String> command, int httpPort, Path log) {
        this.httpPort = httpPort;
        this.log = log;
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().put("OPERATOR_PASSWORD", "load-tests");
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The relay as it is delivered: its jar, its defaults but for one that goes with the broker's. */
    static Contender relay(Workspace workspace, Stand stand, Path folder) {
        int port = Ports.free();
        List<String> command = java(folder);
        command.addAll(List.of(
                "-jar",
                workspace.jar("outbox-relay").toString(),
                "--server.port=" + port,
                "--relay.database.url=" + stand.jdbcUrl(),
                "--relay.database.slot=relay",
                "--relay.kafka.bootstrap-servers=" + stand.bootstrapServers(),
                "--relay.kafka.topic-prefix=relay.",
                // for a broker that looks again after 1 ms instead of 20: see the relay's README
                "--relay.kafka.transaction-gap=0ms"));
        return new Contender(command, port, folder.resolve("relay.log"));
    }

    /** A peer on this program's class path; its topics begin with its slot's name and a dot. */
    static Contender peer(Class<?> main, String name, Stand stand, Path folder, String... more) {
        List<String> command = java(folder);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "port=" + stand.port(),
                "database=" + stand.database(),
                "kafka=" + stand.bootstrapServers(),
                "slot=" + name,
                "topics=" + name + ".",
                "offsets=" + folder.resolve(name + ".offsets")));
        command.addAll(List.of(more));
        return new Contender(command, 0, folder.resolve(name + ".log"));
    }

    private static List<String> java(Path folder) {
        return new ArrayList<>(List.of(
                Workspace.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR"));
    }

    /** Waits until the relay says that it streams. */
    void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!get("/actuator/health/readiness").startsWith("200 ")) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the relay is not ready, see " + log);
            }
            checkAlive();
            Thread.sleep(50);
        }
    }

    /** What the relay answers: status and body. */
    String get(String path) throws InterruptedException {
        try {
            HttpResponse<String> response = HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                            .timeout(Duration.ofSeconds(2))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        } catch (IOException e) {
            return "0 " + e;
        }
    }

    /** The relay's own count, since its start. */
    Histogram commitToAcknowledged() throws InterruptedException {
        return Histogram.parse(get("/actuator/prometheus"), "relay_commit_to_acknowledged_seconds");
    }

    void checkAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("a process ended with " + process.exitValue() + ", see " + log);
        }
    }

    /** Seconds of processor time since its start, by the kernel's count. */
    double cpuSeconds() {
        String stat = read("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) TICKS_PER_SECOND;
    }

    /** Resident memory in MiB. */
    double residentMb() {
        return status("VmRSS:");
    }

    /** The most that was ever resident, in MiB. */
    double peakResidentMb() {
        return status("VmHWM:");
    }

    private double status(String name) {
        return read("status")
                        .lines()
                        .filter(line -> line.startsWith(name))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024.0;
    }

    private String read(String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** kill -9; returns when it is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
