package dev.signups.localstack;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker (KRaft, one node) as a child process, run from its Maven jars.
 *
 * <p>{@link #kill()} and {@link #stop()} may be followed by {@link #start()} on the same data and ports. After a kill
 * the broker needs about 13 s: its own controller session has to run out first.
 */
public final class LocalKafka implements Kafka, AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final Path data;
    private final Path log;
    private final int port;
    private final int controllerPort;
    private final List<String> overrides;
    private final @Nullable Detached detached;
    private @Nullable ChildProcess server;

    private LocalKafka(Path data, int port, int controllerPort, @Nullable Detached detached, List<String> overrides) {
        this.data = data;
        this.log = detached == null ? data.resolveSibling(data.getFileName() + ".log") : detached.log();
        this.port = port;
        this.controllerPort = controllerPort;
        this.detached = detached;
        this.overrides = overrides;
    }

    /**
     * Starts a broker on the data of an earlier run, or on a newly formatted folder.
     *
     * @param data folder of the broker's logs; what it prints is written beside it
     * @param port a port of the loopback interface, 0 for any free one
     * @param overrides {@code name=value} pairs of the broker's configuration that win over this class's own
     */
    public static LocalKafka start(Path data, int port, String... overrides) {
        return start(data, port, null, List.of(overrides));
    }

    /** Like {@link #start(Path, int, String...)}, but the broker outlives this process. */
    public static LocalKafka startDetached(Path data, int port, Detached detached, String... overrides) {
        return start(data, port, detached, List.of(overrides));
    }

    private static LocalKafka start(Path data, int port, @Nullable Detached detached, List<String> overrides) {
        int chosen = port == 0 ? Ports.free() : port;
        LocalKafka kafka = new LocalKafka(data.toAbsolutePath(), chosen, Ports.free(), detached, overrides);
        kafka.format();
        kafka.start();
        return kafka;
    }

    /** Starts the broker again after a stop or a kill; returns when it answers. */
    public void start() {
        if (server != null && server.isAlive()) {
            throw new IllegalStateException("Kafka on port " + port + " is already running");
        }
        List<String> command = java(
                List.of("-Xmx256m", "-Xms256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                "kafka.Kafka",
                properties().toString());
        ChildProcess started =
                detached == null ? ChildProcess.start(command, data, log) : ChildProcess.start(detached, command, data);
        server = started;
        awaitReady(started);
    }

    /** Stops the broker in order and waits for its end. */
    public void stop() {
        ChildProcess running = server;
        if (running != null && running.isAlive()) {
            running.signal("TERM");
            if (!running.awaitExit(Duration.ofSeconds(30))) {
                running.kill();
            }
        }
    }

    /** kill -9. */
    public void kill() {
        if (server != null) {
            server.kill();
        }
    }

    /** SIGSTOP: connections stay open and nobody answers. */
    public void pause() {
        Signals.send(pid(), "STOP");
    }

    /** SIGCONT, after {@link #pause()}. */
    public void resume() {
        Signals.send(pid(), "CONT");
    }

    /** Whether the process is there. */
    public boolean isRunning() {
        return server != null && server.isAlive();
    }

    /** The broker's process id. */
    public long pid() {
        if (server == null) {
            throw new IllegalStateException("Kafka on port " + port + " was never started");
        }
        return server.pid();
    }

    /** The port of the loopback interface. */
    public int port() {
        return port;
    }

    /** What the broker prints. */
    public Path log() {
        return log;
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** The class path of the broker and of Kafka's own command-line tools. */
    public static String classPath() {
        return Stream.of("/kafka.classpath", "/kafka-runtime.classpath")
                .flatMap(resource -> Stream.of(read(resource).split(File.pathSeparator)))
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String read(String name) {
        try (InputStream resource = LocalKafka.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException(name + " is missing: build infra/local-stack with Maven");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void format() {
        try {
            Files.createDirectories(data);
            Files.writeString(properties(), configuration());
            if (!Files.exists(data.resolve("logs/meta.properties"))) {
                ChildProcess.run(
                        java(
                                List.of("-XX:TieredStopAtLevel=1"),
                                "kafka.tools.StorageTool",
                                "format",
                                "-t",
                                Uuid.randomUuid().toString(),
                                "-c",
                                properties().toString(),
                                "--ignore-formatted"),
                        data,
                        log,
                        START_LIMIT);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path properties() {
        return data.resolve("server.properties");
    }

    private String configuration() {
        String own = """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=PLAINTEXT
                log.dirs=%3$s
                num.partitions=12
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=4
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                # the wait while the previous transaction's markers are written: 20 by default, a fifth of a relay's latency
                add.partitions.to.txn.retry.backoff.ms=1
                """.formatted(port, controllerPort, data.resolve("logs"));
        return own + String.join("\n", overrides) + "\n";
    }

    private void awaitReady(ChildProcess started) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!Ports.isTaken(port)) {
            check(started, deadline, null);
            Pause.millis(50);
        }
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers(),
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                "200"))) {
            while (true) {
                try {
                    if (!admin.describeCluster().nodes().get().isEmpty()) {
                        return;
                    }
                } catch (ExecutionException e) {
                    check(started, deadline, e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while waiting for Kafka", e);
                }
                check(started, deadline, null);
                Pause.millis(50);
            }
        }
    }

    private void check(ChildProcess started, long deadline, @Nullable Exception cause) {
        if (!started.isAlive()) {
            throw new IllegalStateException("Kafka on port " + port + " ended\n" + started.tail(), cause);
        }
        if (System.nanoTime() > deadline) {
            throw new IllegalStateException("Kafka on port " + port + " is not ready\n" + started.tail(), cause);
        }
    }

    private static List<String> java(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(options);
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
        command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSS");
        command.add("-cp");
        command.add(classPath());
        command.add(main);
        command.addAll(List.of(arguments));
        return command;
    }
}
