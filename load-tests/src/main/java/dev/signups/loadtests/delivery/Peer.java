package dev.signups.loadtests.delivery;

import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.delivery.peer.BlockingListener;
import dev.signups.loadtests.delivery.peer.JobsWorker;
import dev.signups.loadtests.delivery.peer.ModulithRegistry;
import dev.signups.loadtests.signup.OpenLoad;
import dev.signups.localstack.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** One of the peers: an application in a JVM of its own, and the way its events come to it. */
final class Peer implements AutoCloseable {

    private static final int CREATED = 201;
    private static final Duration SETTLE = Duration.ofSeconds(5);
    private static final String TOPIC = "peer.signups";

    /** Which one. */
    enum Kind {
        /** The article's table of jobs. */
        STAGE2("stage2", JobsWorker.class, 5),
        /** A blocking listener with retry topics. */
        RETRYABLE_TOPIC("retryable_topic", BlockingListener.class, 5),
        /** Spring Modulith's registry. */
        MODULITH("modulith", ModulithRegistry.class, 25);

        final String label;
        final Class<?> application;
        /** How long it may drain at the provider's ordinary pace; two of them would need hours. */
        final Duration patience;

        Kind(String label, Class<?> application, int patienceSeconds) {
            this.patience = Duration.ofSeconds(patienceSeconds);
            this.label = label;
            this.application = application;
        }
    }

    private final Kind kind;
    private final List<String> command;
    private final Path log;
    private final Map<String, Long> created = new ConcurrentHashMap<>();
    private final List<Runnable> resources = new ArrayList<>();
    private final OpenLoad.Request signup;
    private Process process;

    Peer(Kind kind, Pipeline pipeline, Workspace workspace) throws Exception {
        this.kind = kind;
        this.log = workspace.folder("peer-" + kind.label).resolve("log.txt");
        int port = Ports.free();
        String database = "peer_" + kind.label;
        this.command = List.of(
                Workspace.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                kind.application.getName(),
                "--peer.provider=" + pipeline.url("fake-email"),
                "--peer.topic=" + TOPIC,
                "--peer.port=" + port,
                // says when it has started
                "--logging.level." + kind.application.getName() + "=info",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + pipeline.port("postgres") + "/" + database,
                "--spring.datasource.username=postgres",
                "--spring.kafka.bootstrap-servers=" + pipeline.bootstrapServers(),
                "--spring.kafka.consumer.auto-offset-reset=earliest",
                "--spring.kafka.consumer.isolation-level=read_committed",
                // ten sends of four seconds: well within max.poll.interval.ms, which 500 would break
                "--spring.kafka.consumer.max-poll-records=10",
                "--spring.modulith.events.externalization.enabled=false");
        this.signup = switch (kind) {
            case STAGE2 -> jobs(database(pipeline, database, JobsWorker.TABLE));
            case RETRYABLE_TOPIC -> events(pipeline);
            case MODULITH -> {
                database(pipeline, database, ModulithRegistry.TABLE).close();
                yield posts(port);
            }
        };
        this.process = launch();
        // its consumers join their groups, its code gets warm
        Thread.sleep(SETTLE);
    }

    /** Addresses whose signup was answered, in microseconds since the epoch. */
    Map<String, Long> created() {
        return Map.copyOf(created);
    }

    /** One signup. */
    int signUp(int number) throws Exception {
        String address = "peer-" + number + "@example.org";
        created.put(address, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        int status = 0;
        try {
            status = signup.send(number);
        } finally {
            if (status != CREATED) {
                created.remove(address);
            }
        }
        return status;
    }

    /** kill -9, and a start. */
    void killAndRestart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = launch();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        resources.forEach(Runnable::run);
    }

    private Process launch() throws IOException, InterruptedException {
        Files.deleteIfExists(log);
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        for (int i = 0; i < 600; i++) {
            if (Files.readString(log).contains("Started " + kind.application.getSimpleName())) {
                return started;
            }
            if (!started.isAlive()) {
                break;
            }
            Thread.sleep(100);
        }
        started.destroyForcibly().waitFor();
        throw new IllegalStateException("peer " + kind.label + " did not start; see " + log);
    }

    private static Connection database(Pipeline pipeline, String name, String table) throws SQLException {
        try (Connection server = pipeline.connect("postgres");
                Statement statement = server.createStatement()) {
            statement.execute("create database " + name);
        }
        Connection connection = pipeline.connect(name);
        try (Statement statement = connection.createStatement()) {
            statement.execute(table);
        }
        return connection;
    }

    private OpenLoad.Request jobs(Connection connection) throws SQLException {
        PreparedStatement insert = connection.prepareStatement("insert into jobs (email) values (?)");
        resources.add(() -> close(connection));
        return number -> {
            synchronized (insert) {
                insert.setString(1, "peer-" + number + "@example.org");
                insert.executeUpdate();
            }
            return CREATED;
        };
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private OpenLoad.Request events(Pipeline pipeline) throws InterruptedException, ExecutionException {
        EventProducer.createTopic(pipeline.bootstrapServers(), TOPIC);
        EventProducer producer = new EventProducer(pipeline.bootstrapServers(), TOPIC);
        resources.add(producer::close);
        return number -> {
            producer.send("peer-" + number + "@example.org");
            return CREATED;
        };
    }

    private OpenLoad.Request posts(int port) {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        resources.add(http::shutdownNow);
        URI signups = URI.create("http://127.0.0.1:" + port + "/signups");
        return number -> http.send(
                        HttpRequest.newBuilder(signups)
                                .POST(BodyPublishers.ofString("peer-" + number + "@example.org"))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }
}
