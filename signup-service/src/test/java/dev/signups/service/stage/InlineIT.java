package dev.signups.service.stage;

import static dev.signups.service.RunningService.signup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stage 1: the effects that the article shows, and what each of its band-aids changes. */
class InlineIT {

    private static final LocalPostgres POSTGRES = LocalStack.postgres();

    private final StandInProvider provider = new StandInProvider();

    @AfterEach
    void stop() {
        provider.close();
    }

    @Test
    void answersWhenTheProviderHasTakenTheEmail() {
        try (RunningService service = inline()) {
            assertThat(service.post(signup("ada@example.com")).statusCode()).isEqualTo(201);

            assertThat(provider.accepted()).containsExactly("ada@example.com");
            assertThat(service.rows("users")).isOne();
            assertThat(service.rows("outbox")).isZero();
        }
    }

    @Test
    void answersALieWhenTheProviderFails() {
        provider.answers(address -> 503);
        try (RunningService service = inline()) {
            HttpResponse<String> failed = service.post(signup("ada@example.com"));

            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.body()).doesNotContain("ada@");
            assertThat(service.rows("users"))
                    .as("the user is there all the same")
                    .isOne();
            assertThat(service.post(signup("ada@example.com")).statusCode())
                    .as("and who tries again is told that the address is taken")
                    .isEqualTo(409);
        }
    }

    @Test
    void holdsAPlatformThreadForEachRequestThatWaits() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> await202(open));
        try (RunningService service = inline("server.tomcat.threads.max=4", "server.tomcat.threads.min-spare=4");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> answers = post(service, clients, 10);
            await().until(() -> provider.requested().size() == 4);

            assertThat(service.rows("users")).isEqualTo(4);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().matches("http-nio-.*-exec-\\d+"))
                    .hasSize(4);
            open.countDown();
            for (Future<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void virtualThreadsLetAllRequestsWaitAtOnce() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> await202(open));
        try (RunningService service = inline("server.tomcat.threads.max=4", "spring.threads.virtual.enabled=true");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> answers = post(service, clients, 10);
            await().until(() -> provider.requested().size() == 10);

            open.countDown();
            for (Future<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void aTimeLimitTurnsSlowIntoFailed() {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> await202(open));
        try (RunningService service = inline("signup.stage.provider.time-limit=100ms")) {
            assertThat(service.post(signup("ada@example.com")).statusCode()).isEqualTo(500);

            open.countDown();
            await().untilAsserted(() -> assertThat(provider.accepted())
                    .as("although the e-mail goes out")
                    .containsExactly("ada@example.com"));
        }
    }

    @Test
    void aBulkheadRefusesWhatIsBeyondIt() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        provider.answers(address -> await202(open));
        try (RunningService service = inline("signup.stage.provider.bulkhead=2");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> answers = post(service, clients, 2);
            await().until(() -> provider.requested().size() == 2);

            assertThat(service.post(signup("ada@example.com")).statusCode()).isEqualTo(500);
            assertThat(service.rows("users")).as("the third user is stored too").isEqualTo(3);
            open.countDown();
            for (Future<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void aBreakerFailsWithoutAskingTheProvider() {
        provider.answers(address -> 503);
        try (RunningService service = inline("signup.stage.provider.breaker=true")) {
            for (int i = 0; i < 110; i++) {
                assertThat(service.post(signup("user" + i + "@example.com")).statusCode())
                        .isEqualTo(500);
            }

            assertThat(provider.requested()).hasSize(100);
            assertThat(service.rows("users")).as("users without an e-mail").isEqualTo(110);
        }
    }

    private RunningService inline(String... settings) {
        List<String> all = new ArrayList<>(List.of("signup.welcome-email=inline", provider.setting()));
        all.addAll(List.of(settings));
        return RunningService.start(POSTGRES, all.toArray(String[]::new));
    }

    private static List<Future<HttpResponse<String>>> post(RunningService service, ExecutorService clients, int count) {
        List<Future<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String json = signup("user" + i + "@example.com");
            answers.add(clients.submit(() -> service.post(json)));
        }
        return answers;
    }

    private static int await202(CountDownLatch open) {
        try {
            open.await();
            return 202;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 500;
        }
    }
}
