package dev.signups.service.signup;

import static dev.signups.service.RunningService.OPERATOR;
import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.service.RunningService;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseAwayIT {

    /** The promise is two seconds; the rest is the machine's, which runs other things beside the test. */
    private static final Duration LIMIT = Duration.ofMillis(2_500);

    @TempDir
    Path folder;

    private LocalPostgres postgres;
    private RunningService service;

    @BeforeEach
    void start() {
        postgres = LocalPostgres.start(folder.resolve("postgres"), 0);
        service = RunningService.start(postgres);
        assertThat(service.post(signup("before@example.com")).statusCode()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        service.close();
        postgres.kill();
    }

    @Test
    void refusesWithinTwoSecondsAndRecoversByItself() throws Exception {
        postgres.stop(LocalPostgres.StopMode.FAST);
        refusesAll();
        assertThat(service.get("/actuator/health/readiness").statusCode()).isEqualTo(503);
        assertThat(service.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(service.get("/users", "Accept", "text/html", OPERATOR[0], OPERATOR[1])
                        .body())
                .contains("Please try again");

        postgres.start();
        recovers("stopped@example.com");

        postgres.kill();
        refusesAll();

        postgres.start();
        recovers("killed@example.com");
    }

    @Test
    void refusesWithinTwoSecondsWhenTheServerHangs() throws Exception {
        List<Long> processes = Stream.concat(
                        Stream.of(postgres.pid()),
                        ProcessHandle.of(postgres.pid())
                                .orElseThrow()
                                .descendants()
                                .map(ProcessHandle::pid))
                .toList();
        signal("STOP", processes);
        try {
            refusesAll();
        } finally {
            signal("CONT", processes);
        }
        recovers("thawed@example.com");
    }

    private void refusesAll() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Duration>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String email = "away" + i + "@example.com";
                answers.add(clients.submit(() -> refuses(email)));
            }
            for (Future<Duration> answer : answers) {
                assertThat(answer.get()).isLessThan(LIMIT);
            }
        }
    }

    private Duration refuses(String email) {
        long start = System.nanoTime();
        HttpResponse<String> response = service.post(signup(email));
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        return taken;
    }

    private void recovers(String email) {
        await().atMost(Duration.ofSeconds(15))
                .until(() -> service.get("/actuator/health/readiness").statusCode() == 200);
        assertThat(service.post(signup(email)).statusCode()).isEqualTo(201);
        assertThat(service.query("select count(*) from users u full join outbox o on o.aggregateid = u.id::text"
                        + " where u.id is null or o.id is null"))
                .isEqualTo("0");
    }

    private static void signal(String name, List<Long> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(pid -> command.add(Long.toString(pid)));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
