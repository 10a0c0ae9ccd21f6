package dev.signups.service.signup;

import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signups under load, and beside others with passwords (S8). Times are printed; what they should be is for load-tests. */
class SignupLoadIT {

    private static final AtomicLong NUMBER = new AtomicLong();
    private static final LocalPostgres POSTGRES = LocalStack.postgres();

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(
                POSTGRES,
                "signup.password.threads=1",
                "signup.password.queue=8",
                "signup.password.strength=12",
                "signup.password.max-wait=60s");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void storesEverySignupThatItAnswers() {
        long before = service.rows("users");

        Latencies signups = atRate(50, Duration.ofSeconds(3), SignupLoadIT::signUp);

        // a machine with no time to spare may refuse some, and must say so
        assertThat(signups.statuses()).contains(201).isSubsetOf(201, 503);
        assertThat(service.rows("users") - before).isGreaterThanOrEqualTo(signups.created());
    }

    @Test
    void letsSignupsWithoutAPasswordPassThoseThatWaitForAHash() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> withPassword = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                withPassword.add(clients.submit(SignupLoadIT::signUpWithPassword));
            }
            await().until(() -> metrics().contains("signup_password_waiting 8.0"));

            assertThat(signUp()).isEqualTo(201);

            // counted in hashes, not in milliseconds, so that the machine's speed does not matter
            assertThat(withPassword).filteredOn(answer -> !answer.isDone()).isNotEmpty();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("password-hash-"))
                    .hasSize(1);
            int refused = 0;
            for (Future<HttpResponse<String>> answer : withPassword) {
                if (answer.get().statusCode() == 503) {
                    refused++;
                    assertThat(answer.get().headers().firstValue("Retry-After")).isPresent();
                } else {
                    assertThat(answer.get().statusCode()).isEqualTo(201);
                }
            }
            assertThat(refused).isBetween(1, 31);
        }
    }

    @Test
    @Tag("long")
    void answersEverySignupWithoutAPasswordBeside50ASecondWithOne() throws Exception {
        try (RunningService asShipped = RunningService.start(POSTGRES);
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            Callable<Integer> plain = () -> asShipped.post(signup(address())).statusCode();
            Callable<Integer> secret = () -> asShipped
                    .post(signup(address()).replace("}", ",\"password\":\"correct horse\"}"))
                    .statusCode();
            atRate(100, Duration.ofSeconds(5), plain);
            Latencies alone = atRate(50, Duration.ofSeconds(20), plain);
            Future<Latencies> passwords = other.submit(() -> atRate(50, Duration.ofSeconds(24), secret));
            Latencies beside = atRate(50, Duration.ofSeconds(20), plain);

            System.out.println("50/s alone: " + alone);
            System.out.println("50/s beside 50/s with a password: " + beside);
            System.out.println("50/s with a password: " + passwords.get());
            assertThat(beside.statuses()).containsOnly(201);
        }
    }

    private static String address() {
        return "load" + NUMBER.incrementAndGet() + "@example.com";
    }

    private static int signUp() {
        return service.post(signup(address())).statusCode();
    }

    private static HttpResponse<String> signUpWithPassword() {
        return service.post(signup(address()).replace("}", ",\"password\":\"correct horse\"}"));
    }

    private static String metrics() {
        return service.get("/actuator/prometheus").body();
    }

    /** An open model: a late answer delays no other request, and its lateness counts from when it was due. */
    private static Latencies atRate(int perSecond, Duration duration, Callable<Integer> request) {
        int count = (int) (perSecond * duration.toSeconds());
        long start = System.nanoTime();
        List<Future<Integer>> answers = new ArrayList<>();
        long[] nanos = new long[count];
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int number = i;
                long due = start + i * 1_000_000_000L / perSecond;
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                answers.add(clients.submit(() -> {
                    int status = request.call();
                    nanos[number] = System.nanoTime() - due;
                    return status;
                }));
            }
        }
        return new Latencies(
                answers.stream().map(SignupLoadIT::status).toList(),
                Arrays.stream(nanos).sorted().toArray());
    }

    /** 0 when there was no answer. */
    private static int status(Future<Integer> answer) {
        return answer.state() == Future.State.SUCCESS ? answer.resultNow() : 0;
    }

    private record Latencies(List<Integer> statuses, long[] sortedNanos) {

        Duration percentile(int percent) {
            return Duration.ofNanos(sortedNanos[Math.min(sortedNanos.length - 1, sortedNanos.length * percent / 100)]);
        }

        long created() {
            return statuses.stream().filter(status -> status == 201).count();
        }

        @Override
        public String toString() {
            return "p50 %.2f p95 %.2f p99 %.2f ms, created %d of %d"
                    .formatted(
                            percentile(50).toNanos() / 1e6,
                            percentile(95).toNanos() / 1e6,
                            percentile(99).toNanos() / 1e6,
                            created(),
                            statuses.size());
        }
    }
}
