package dev.signups.service.stage;

import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Stage 2: quick and atomic at the front door, and the faults of its worker. */
class JobsIT {

    private static final LocalPostgres POSTGRES = LocalStack.postgres();

    @TempDir
    Path folder;

    private final StandInProvider provider = new StandInProvider();
    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(POSTGRES, "signup.welcome-email=jobs");
    }

    @AfterEach
    void stop() {
        service.close();
        provider.close();
    }

    @Test
    void answersWithoutAWorkerAndWithoutAProvider() {
        assertThat(service.post(signup("ada@example.com")).statusCode()).isEqualTo(201);

        assertThat(service.query("select email || status from jobs join users u using (email) where u.id = user_id"))
                .isEqualTo("ada@example.comPENDING");
        assertThat(service.rows("outbox")).isZero();
    }

    @Test
    void storesNeitherUserNorJobWhenOneOfThemFails() {
        service.execute("alter table jobs add check (email not like 'nojob%')");

        assertThat(service.post(signup("nojob@example.com")).statusCode()).isEqualTo(500);

        assertThat(service.rows("users")).isZero();
        assertThat(service.rows("jobs")).isZero();
    }

    @Test
    void aWorkerSendsInOrderOneAfterAnotherInsideItsTransaction() {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> {
            if (address.startsWith("user3")) {
                awaitUninterruptibly(open);
            }
            return 202;
        });
        signUp(0, 12);
        try (ConfigurableApplicationContext _ = worker()) {
            await().until(() -> provider.requested().size() == 4);
            assertThat(service.query("select count(*) from jobs where status = 'SENT'"))
                    .as("nothing is visible before the batch ends")
                    .isEqualTo("0");
            open.countDown();

            await().untilAsserted(() -> assertThat(sent()).isEqualTo(12));
            assertThat(provider.accepted()).isEqualTo(addresses(0, 12));
        }
    }

    @Test
    void workersShareTheQueueAndSendEachJobOnce() {
        signUp(0, 40);
        try (ConfigurableApplicationContext _ = worker();
                ConfigurableApplicationContext _ = worker()) {
            await().untilAsserted(() -> assertThat(sent()).isEqualTo(40));
        }
        assertThat(provider.accepted()).hasSize(40);
        assertThat(new HashSet<>(provider.accepted())).hasSize(40);
    }

    @Test
    void tenJobsThatFailBlockAllThatComeAfterThem() {
        provider.answers(address -> address.matches("user\\d@.*") ? 422 : 202);
        signUp(0, 15);
        try (ConfigurableApplicationContext _ = worker()) {
            await().until(() -> provider.requested().size() >= 30);
        }
        assertThat(provider.accepted()).isEmpty();
        assertThat(new HashSet<>(provider.requested())).isEqualTo(new HashSet<>(addresses(0, 10)));
    }

    @Test
    void aKilledWorkerSendsTwiceWhatItHadSent() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> {
            if (address.startsWith("user3")) {
                awaitUninterruptibly(open);
            }
            return 202;
        });
        signUp(0, 5);
        Process worker = launchWorker();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> provider.requested().size() == 4);
        } finally {
            worker.destroyForcibly().waitFor();
        }
        open.countDown();

        try (ConfigurableApplicationContext _ = worker()) {
            await().untilAsserted(() -> assertThat(sent()).isEqualTo(5));
        }
        assertThat(provider.accepted())
                .filteredOn(address -> address.matches("user[012]@.*"))
                .hasSize(6);
    }

    private ConfigurableApplicationContext worker() {
        return WorkerApplication.application()
                .run(workerSettings().stream().map(setting -> "--" + setting).toArray(String[]::new));
    }

    private Process launchWorker() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerApplication.class.getName()));
        workerSettings().forEach(setting -> command.add("--" + setting));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker.log").toFile())
                .start();
    }

    private List<String> workerSettings() {
        return List.of("server.port=0", "DB_URL=" + POSTGRES.jdbcUrl(service.database()), provider.setting());
    }

    private void signUp(int from, int to) {
        addresses(from, to)
                .forEach(address ->
                        assertThat(service.post(signup(address)).statusCode()).isEqualTo(201));
    }

    private static List<String> addresses(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "user" + i + "@example.com")
                .toList();
    }

    private int sent() {
        return Integer.parseInt(service.query("select count(*) from jobs where status = 'SENT'"));
    }

    private static void awaitUninterruptibly(CountDownLatch open) {
        try {
            open.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
