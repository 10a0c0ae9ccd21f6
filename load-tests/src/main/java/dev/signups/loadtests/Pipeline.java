package dev.signups.loadtests;

import dev.signups.localstack.Ports;
import dev.signups.localstack.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The whole pipeline, started by {@code infra/demo} in a folder and on ports of its own: what is measured is what a
 * person starts. Its processes take their settings from the environment given here.
 */
public final class Pipeline implements AutoCloseable {

    /** Of user {@code operator}. */
    public static final String PASSWORD = "load-tests";

    private static final Map<String, String> PORT_SETTINGS = Map.of(
            "postgres", "POSTGRES_PORT",
            "kafka", "KAFKA_PORT",
            "signup-service", "SIGNUP_PORT",
            "outbox-relay", "OUTBOX_RELAY_PORT",
            "email-consumer", "EMAIL_CONSUMER_PORT",
            "fake-email", "FAKE_EMAIL_PORT",
            "worker", "WORKER_PORT");

    private static final Pattern STATUS = Pattern.compile("(\\S+) pid=(\\d+) port=(\\d+) state=(\\S+)");

    private final Path root;
    private final Path folder;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final Thread stop = new Thread(this::stopAll, "pipeline-stop");

    private Pipeline(Workspace workspace, Map<String, String> settings) {
        this.root = workspace.root();
        this.folder = workspace.folder("pipeline");
        PORT_SETTINGS.forEach((name, setting) -> {
            int port = Ports.free();
            ports.put(name, port);
            environment.put(setting, Integer.toString(port));
        });
        environment.put("OPERATOR_PASSWORD", PASSWORD);
        environment.put("DEMO_HOME", folder.resolve("demo").toString());
        environment.putAll(settings);
    }

    /**
     * Starts everything and returns when all is ready.
     *
     * @param settings environment of all services, for instance {@code EMAIL_CONSUMER_JAVA_OPTS}
     * @param arguments more of {@code infra/demo}'s, for instance {@code --stage 2}
     */
    public static Pipeline start(Workspace workspace, Map<String, String> settings, String... arguments)
            throws InterruptedException {
        Pipeline pipeline = new Pipeline(workspace, settings);
        // for Ctrl-C
        Runtime.getRuntime().addShutdownHook(pipeline.stop);
        List<String> all = new ArrayList<>(List.of("--detach"));
        all.addAll(List.of(arguments));
        try {
            pipeline.demo(all);
        } catch (RuntimeException e) {
            pipeline.close();
            throw e;
        }
        return pipeline;
    }

    /** Starts a process again after {@link #stop} or {@link #kill}, with more or other settings than before. */
    public void start(String name, Map<String, String> settings) throws InterruptedException {
        environment.putAll(settings);
        demo(List.of("--start", name));
    }

    /** Stops a process as an operator would: SIGTERM, and time to finish. */
    public void stop(String name) throws InterruptedException {
        demo(List.of("--stop", name));
    }

    /** SIGKILL; returns when the process is gone and its port with it. */
    public void kill(String name) throws InterruptedException {
        long pid = pid(name);
        Signals.send(pid, "KILL");
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }

    /** The process id of something that runs. */
    public long pid(String name) throws InterruptedException {
        for (String line : demo(List.of("--status"))) {
            Matcher matcher = STATUS.matcher(line);
            if (matcher.matches() && matcher.group(1).equals(name)) {
                return Long.parseLong(matcher.group(2));
            }
        }
        throw new IllegalStateException(name + " does not run");
    }

    /** The port of a process. */
    public int port(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException("there is no process " + name);
        }
        return port;
    }

    /** Where a service answers, without a slash at the end. */
    public String url(String name) {
        return "http://127.0.0.1:" + port(name);
    }

    /** Kafka's address. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port("kafka");
    }

    /** A connection as the superuser. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port("postgres") + "/" + database + "?user=postgres");
    }

    /** What a process has printed. */
    public Path log(String name) {
        return folder.resolve("demo/logs").resolve(name + ".log");
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook does the same
        }
        stopAll();
    }

    private void stopAll() {
        try {
            demo(List.of("--stop"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> demo(List<String> arguments) throws InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("infra/demo").toString()));
        command.addAll(arguments);
        Path output = folder.resolve("demo-" + arguments.getFirst().replace("-", "") + ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            int exit = builder.start().waitFor();
            List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
            if (exit != 0) {
                throw new IllegalStateException("infra/demo " + String.join(" ", arguments) + " ended with " + exit
                        + ":\n" + String.join("\n", lines));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
