package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.Ports;
import dev.signups.service.RunningService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S2: whatever is killed, and whenever, users and events are one to one, and every signup that was answered is there. */
class AtomicityIT {

    private static final int CLIENTS = 8;
    private static final AtomicLong NUMBER = new AtomicLong();

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Random random = new Random();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    private LocalPostgres postgres;
    private String database;

    @BeforeEach
    void start() {
        postgres = LocalPostgres.start(folder.resolve("postgres"), 0);
        database = postgres.createDatabase("signup");
    }

    @AfterEach
    void stop() {
        postgres.kill();
    }

    @Test
    void survivesKilledSessionsAndServices() throws Exception {
        killSessions(40);
        killServices(2);
        crashDatabase(1);
    }

    @Test
    @Tag("long")
    void survivesAThousandKills() throws Exception {
        killSessions(900);
        killServices(60);
        crashDatabase(40);
    }

    /** Ends database sessions in the midst of their work. */
    private void killSessions(int times) throws Exception {
        try (RunningService service = RunningService.startOn(postgres, database)) {
            underLoad(service.uri("/api/users"), () -> {
                for (int killed = 0; killed < times; ) {
                    pauseUpTo(20);
                    killed += terminateOneSession();
                }
            });
        }
        assertOneToOne();
    }

    /** kill -9 of the service's process. */
    private void killServices(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            int port = Ports.free();
            Process service = launch(port);
            try {
                URI ready = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> statusOf(HttpRequest.newBuilder(ready)
                                        .timeout(Duration.ofSeconds(2))
                                        .build())
                                == 200);
                int before = answered.size();
                underLoad(URI.create("http://127.0.0.1:" + port + "/api/users"), () -> {
                    await().until(() -> answered.size() > before + 20);
                    pauseUpTo(300);
                    service.destroyForcibly().waitFor();
                });
            } finally {
                service.destroyForcibly();
            }
            assertOneToOne();
        }
    }

    /** kill -9 of one server process, at which PostgreSQL ends all sessions and recovers from its log. */
    private void crashDatabase(int times) throws Exception {
        try (RunningService service = RunningService.startOn(postgres, database)) {
            underLoad(service.uri("/api/users"), () -> {
                for (int i = 0; i < times; i++) {
                    int before = answered.size();
                    await().atMost(Duration.ofSeconds(60)).until(() -> answered.size() > before + 20);
                    pauseUpTo(100);
                    ProcessHandle.of(Long.parseLong(oneSession())).ifPresent(ProcessHandle::destroyForcibly);
                }
            });
        }
        await().ignoreExceptions()
                .atMost(Duration.ofSeconds(30))
                .until(() -> postgres.query(database, "select 1") != null);
        assertOneToOne();
    }

    private void assertOneToOne() {
        assertThat(
                        postgres.query(
                                database,
                                "select count(*) from users u full join outbox o on o.aggregateid = u.id::text"
                                        + " where u.id is null or o.id is null or o.payload->>'email' is distinct from u.email"))
                .isEqualTo("0");
        assertThat(answered).isNotEmpty();
        assertThat(postgres.query(
                        database,
                        "select count(*) from users where email = any ('{" + String.join(",", answered) + "}')"))
                .isEqualTo(Integer.toString(answered.size()));
    }

    private void underLoad(URI users, Work work) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.submit(() -> {
                    while (!stop.get()) {
                        String email = "user" + NUMBER.incrementAndGet() + "@example.com";
                        int status = statusOf(HttpRequest.newBuilder(users)
                                .timeout(Duration.ofSeconds(10))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(RunningService.signup(email)))
                                .build());
                        if (status == 201) {
                            answered.add(email);
                        } else {
                            pauseUpTo(20);
                        }
                    }
                    return null;
                });
            }
            try {
                work.run();
            } finally {
                stop.set(true);
            }
        }
    }

    /** 0 when there was no answer. */
    private int statusOf(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private int terminateOneSession() throws SQLException {
        try (Connection connection = postgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(pg_terminate_backend(pid)) from ("
                        + "select pid from pg_stat_activity where application_name = 'signup-service'"
                        + " and datname = current_database() order by state = 'active' desc, random() limit 1) one")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private String oneSession() {
        return postgres.query(
                database,
                "select pid from pg_stat_activity where application_name = 'signup-service'"
                        + " order by state = 'active' desc, random() limit 1");
    }

    private Process launch(int port) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-cp",
                        classPath,
                        "dev.signups.service.SignupApplication"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("service.log").toFile());
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        builder.environment().put("DB_URL", postgres.jdbcUrl(database));
        builder.environment().put("OPERATOR_PASSWORD", RunningService.OPERATOR_PASSWORD);
        return builder.start();
    }

    private void pauseUpTo(int milliseconds) {
        LockSupport.parkNanos(random.nextLong(1, milliseconds * 1_000_000L));
    }

    private interface Work {
        void run() throws Exception;
    }
}
