package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalStack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The ledger's state machine, with each point at which a process may die. */
class DeliveryLogIT {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private String database;
    private JdbcTemplate jdbc;
    private DeliveryLog log;
    private Deliveries deliveries;

    @BeforeEach
    void create() {
        database = LocalStack.postgres().createDatabase("email");
        DriverManagerDataSource source =
                new DriverManagerDataSource(LocalStack.postgres().jdbcUrl(database), "email", "");
        Flyway.configure().dataSource(source).load().migrate();
        jdbc = new JdbcTemplate(source);
        log = ledger(source, Duration.ofHours(24));
        deliveries = new Deliveries(JdbcClient.create(source), jdbc, TestSettings.with(LEASE, Duration.ofHours(24)));
    }

    private DeliveryLog ledger(DriverManagerDataSource source, Duration keyRetention) {
        return new DeliveryLog(
                new JdbcTemplate(source),
                new TransactionTemplate(new JdbcTransactionManager(source)),
                new JsonMapper(),
                TestSettings.with(LEASE, keyRetention));
    }

    private static NewDelivery aDelivery(String user) {
        return new NewDelivery(
                new DeliveryId(user, "welcome_email"),
                user + "@example.com",
                Map.of("firstName", "Grace"),
                "event-1",
                Instant.parse("2026-01-02T03:04:05.678Z"));
    }

    private Delivery claimed(String user) {
        return log.insert(List.of(aDelivery(user)), 1).claimed().getFirst();
    }

    private String column(String user, String column) {
        return jdbc.queryForObject(
                "select " + column + "::text from email_delivery where user_id = ?", String.class, user);
    }

    private void passLease(String user) {
        jdbc.update("update email_delivery set lease_until = now() - interval '1 ms' where user_id = ?", user);
    }

    private static Result.Retry failed(Delivery delivery) {
        return new Result.Retry(delivery, "retriable", "HTTP 503", Duration.ZERO, true, false);
    }

    @Test
    void insertsOnceAndClaimsTheFirstOnes() {
        DeliveryLog.Inserted first =
                log.insert(List.of(aDelivery("a"), aDelivery("a"), aDelivery("b"), aDelivery("c")), 3);
        assertThat(first.inserted()).isEqualTo(3);
        assertThat(first.claimed()).extracting(d -> d.id().userId()).containsExactly("a", "b");
        DeliveryLog.Inserted again = log.insert(List.of(aDelivery("a"), aDelivery("c"), aDelivery("d")), 0);
        assertThat(again.inserted()).isEqualTo(1);
        assertThat(again.claimed()).isEmpty();
        assertThat(column("a", "status")).isEqualTo("SENDING");
        assertThat(column("c", "status")).isEqualTo("PENDING");
        assertThat(column("d", "attempts")).isEqualTo("0");
        Delivery claimed = first.claimed().getFirst();
        assertThat(claimed.recipient()).isEqualTo("a@example.com");
        assertThat(claimed.arguments()).containsEntry("firstName", "Grace");
        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.certain()).isTrue();
        assertThat(claimed).asString().doesNotContain("example.com").doesNotContain("Grace");
    }

    @Test
    void crashAfterInsertBeforeAck() {
        Delivery first = claimed("a");
        // the batch comes again, to the same process or another
        assertThat(log.insert(List.of(aDelivery("a")), 1).claimed()).isEmpty();
        log.record(List.of(new Result.Sent(first, "m-1")));
        assertThat(log.insert(List.of(aDelivery("a")), 1).inserted()).isZero();
        assertThat(column("a", "status")).isEqualTo("SENT");
    }

    @Test
    void crashAfterClaimBeforeSend() {
        Delivery dead = claimed("a");
        assertThat(log.claimDue(10)).isEmpty();
        Delivery taken = await().atMost(Duration.ofSeconds(10))
                .until(() -> log.claimDue(10), rows -> !rows.isEmpty())
                .getFirst();
        assertThat(taken.attempts()).isEqualTo(2);
        assertThat(taken.key()).isEqualTo(dead.key());
        assertThat(taken.token()).isNotEqualTo(dead.token());
        assertThat(taken.certain()).isFalse();
    }

    @Test
    void crashAfterSendBeforeMarkSent() {
        Delivery dead = claimed("a");
        passLease("a");
        Delivery taken = log.claimDue(10).getFirst();
        // the provider answers the second request from memory
        log.record(List.of(new Result.Sent(taken, "m-1")));
        assertThat(column("a", "status")).isEqualTo("SENT");
        assertThat(taken.key()).isEqualTo(dead.key());
    }

    @Test
    void crashAfterMarkSentBeforeAnythingElse() {
        log.record(List.of(new Result.Sent(claimed("a"), "m-1")));
        passLease("a");
        assertThat(log.claimDue(10)).isEmpty();
        assertThat(log.giveUpUnknown()).isZero();
    }

    @Test
    void lateSuccessWinsOverEveryStateButSent() {
        for (String state : List.of("claimed by another", "pending", "failed")) {
            String user = state.replace(' ', '-');
            Delivery late = claimed(user);
            passLease(user);
            Delivery other = log.claimDue(10).getFirst();
            if (state.equals("pending")) {
                log.record(List.of(new Result.Retry(other, "retriable", "x", Duration.ofHours(1), true, false)));
            } else if (state.equals("failed")) {
                log.record(List.of(new Result.Failed(other, "permanent", "HTTP 422", true)));
            }
            log.record(List.of(new Result.Sent(late, "m-late")));
            assertThat(column(user, "status")).as(state).isEqualTo("SENT");
            assertThat(column(user, "provider_message_id")).isEqualTo("m-late");
            assertThat(column(user, "last_error")).isNull();
        }
    }

    @Test
    void sentIsFinal() {
        Delivery delivery = claimed("a");
        log.record(List.of(new Result.Sent(delivery, "m-1")));
        log.record(List.of(new Result.Sent(delivery, "m-2")));
        log.record(List.of(failed(delivery)));
        log.record(List.of(new Result.Failed(delivery, "permanent", "HTTP 422", true)));
        assertThat(column("a", "status")).isEqualTo("SENT");
        assertThat(column("a", "provider_message_id")).isEqualTo("m-1");
        assertThat(deliveries.requeue(delivery.id(), true)).isEqualTo(Deliveries.Requeued.NOT_FAILED);
    }

    @Test
    void failureNeedsTheTokenOfTheClaim() {
        Delivery late = claimed("a");
        passLease("a");
        Delivery holder = log.claimDue(10).getFirst();
        log.record(List.of(failed(late), new Result.Failed(late, "permanent", "HTTP 422", true)));
        assertThat(column("a", "status")).isEqualTo("SENDING");
        assertThat(column("a", "claim_token")).isEqualTo(holder.token().toString());
        log.record(List.of(failed(holder)));
        assertThat(column("a", "status")).isEqualTo("PENDING");
        assertThat(column("a", "attempts")).isEqualTo("2");
    }

    @Test
    void writingResultsAgainChangesNothing() {
        Delivery delivery = claimed("a");
        Result given = Result.untried(delivery, Duration.ofHours(1));
        log.record(List.of(given));
        log.record(List.of(given));
        assertThat(column("a", "attempts")).isEqualTo("0");
        assertThat(column("a", "status")).isEqualTo("PENDING");
    }

    @Test
    void givenBackIsAsIfNeverClaimed() {
        Delivery delivery = claimed("a");
        log.record(List.of(Result.untried(delivery, Duration.ZERO)));
        assertThat(column("a", "attempts")).isEqualTo("0");
        assertThat(column("a", "unknown_since")).isNull();
        Delivery second = log.claimDue(1).getFirst();
        log.record(List.of(failed(second)));
        String unknownSince = column("a", "unknown_since");
        assertThat(unknownSince).isNotNull();
        // a later attempt that certainly was not accepted does not take the doubt about the earlier one away
        Delivery third = log.claimDue(1).getFirst();
        assertThat(third.certain()).isFalse();
        log.record(List.of(Result.untried(third, Duration.ZERO)));
        assertThat(column("a", "unknown_since")).isEqualTo(unknownSince);
        assertThat(column("a", "attempts")).isEqualTo("1");
    }

    @Test
    void waitIsCountedByTheDatabasesClock() {
        Delivery delivery = claimed("a");
        log.record(List.of(new Result.Retry(delivery, "retriable", "HTTP 503", Duration.ofSeconds(1), true, false)));
        assertThat(log.claimDue(1)).isEmpty();
        assertThat(Double.parseDouble(column("a", "extract(epoch from next_attempt_at - updated_at)")))
                .isEqualTo(1.0);
        await().atMost(Duration.ofSeconds(5)).until(() -> !log.claimDue(1).isEmpty());
    }

    @Test
    void renewedLeaseIsNotTakenOver() {
        Delivery delivery = claimed("a");
        passLease("a");
        assertThat(log.renew(List.of(delivery))).isEqualTo(1);
        assertThat(log.claimDue(1)).isEmpty();
        passLease("a");
        Delivery other = log.claimDue(1).getFirst();
        assertThat(log.renew(List.of(delivery)))
                .as("the token is no longer the holder's")
                .isZero();
        assertThat(log.renew(List.of(other))).isEqualTo(1);
    }

    @Test
    void outcomeUnknownForLongerThanKeysAreKeptIsNeverSentAgain() {
        DriverManagerDataSource source =
                new DriverManagerDataSource(LocalStack.postgres().jdbcUrl(database), "email", "");
        DeliveryLog forgetful = ledger(source, Duration.ofHours(1));
        Delivery cutOff = claimed("cut-off");
        Delivery waiting = claimed("waiting");
        log.record(List.of(failed(waiting)));
        Delivery refused = claimed("refused");
        log.record(List.of(Result.untried(refused, Duration.ZERO)));
        passLease("cut-off");
        jdbc.update(
                "update email_delivery set unknown_since = now() - interval '2 hours' where unknown_since is not null");

        assertThat(forgetful.claimDue(10)).extracting(d -> d.id().userId()).containsExactly("refused");
        assertThat(forgetful.giveUpUnknown()).isEqualTo(2);
        assertThat(column("cut-off", "status")).isEqualTo("FAILED");
        assertThat(column("waiting", "last_error")).startsWith("outcome unknown");

        Deliveries careful =
                new Deliveries(JdbcClient.create(source), jdbc, TestSettings.with(LEASE, Duration.ofHours(1)));
        assertThat(careful.requeue(cutOff.id(), false)).isEqualTo(Deliveries.Requeued.MAY_BE_DELIVERED);
        assertThat(careful.requeue(new Deliveries.Selection(null, null, null, 10)))
                .isZero();
        assertThat(careful.requeue(cutOff.id(), true)).isEqualTo(Deliveries.Requeued.DONE);
        assertThat(forgetful.claimDue(10))
                .filteredOn(again -> again.id().equals(cutOff.id()))
                .singleElement()
                .satisfies(again -> assertThat(again.key())
                        .as("the old key is still the safest")
                        .isEqualTo(cutOff.key()));
    }

    /** The provider keeps a key from its first use: later attempts do not lengthen that. */
    @Test
    void doubtIsAsOldAsItsFirstAttempt() {
        log.record(List.of(failed(claimed("doubted"))));
        jdbc.update("update email_delivery set unknown_since = now() - interval '2 hours'");
        log.record(List.of(failed(log.claimDue(1).getFirst())));
        assertThat(column("doubted", "(unknown_since < now() - interval '1 hour')"))
                .isEqualTo("true");
    }

    @Test
    void lastAttemptThatWasCutOffIsNotTriedAgain() {
        claimed("a");
        jdbc.update("update email_delivery set attempts = 10");
        passLease("a");
        assertThat(log.claimDue(10)).isEmpty();
        assertThat(log.giveUpUnknown()).isEqualTo(1);
        assertThat(column("a", "last_error")).isEqualTo("outcome unknown: the last attempt was cut off");
    }

    @Test
    void rerunTakesANewKeyOnlyWhenNoAttemptCanHaveBeenAccepted() {
        Delivery refused = claimed("refused");
        log.record(List.of(new Result.Failed(refused, "permanent", "HTTP 422", true)));
        Delivery doubtful = claimed("doubtful");
        log.record(List.of(new Result.Failed(doubtful, "retriable", "HTTP 503", false)));
        assertThat(deliveries.requeue(new Deliveries.Selection("503", null, null, 10)))
                .isEqualTo(1);
        assertThat(deliveries.requeue(refused.id(), false)).isEqualTo(Deliveries.Requeued.DONE);
        List<Delivery> again = log.claimDue(10);
        assertThat(again)
                .hasSize(2)
                .allSatisfy(delivery -> assertThat(delivery.attempts()).isEqualTo(1));
        assertThat(again)
                .filteredOn(d -> d.id().userId().equals("refused"))
                .singleElement()
                .satisfies(d -> assertThat(d.key().value()).isEqualTo("welcome_email:refused:1"));
        assertThat(again)
                .filteredOn(d -> d.id().userId().equals("doubtful"))
                .singleElement()
                .satisfies(d -> assertThat(d.key()).isEqualTo(doubtful.key()));
    }

    @Test
    void claimersNeverShareARow() throws InterruptedException {
        DeliveryLog patient = new DeliveryLog(
                jdbc,
                new TransactionTemplate(),
                new JsonMapper(),
                TestSettings.with(Duration.ofMinutes(5), Duration.ofHours(24)));
        log.insert(IntStream.range(0, 2000).mapToObj(i -> aDelivery("u-" + i)).toList(), 0);
        List<DeliveryId> all = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    List<Delivery> some = patient.claimDue(50);
                    while (!some.isEmpty()) {
                        some.forEach(d -> all.add(d.id()));
                        some = patient.claimDue(50);
                    }
                }))
                .toList();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(all).hasSize(2000);
        assertThat(new HashSet<>(all)).hasSize(2000);
    }

    @Test
    void suppressedAddressFailsWithoutASend() {
        Suppressions suppressions = new Suppressions(JdbcClient.create(jdbc));
        log.insert(List.of(aDelivery("before")), 0);
        assertThat(suppressions.add("Before@Example.com", null, "operator")).isTrue();
        assertThat(suppressions.add("after@example.com", "asked us to", "operator"))
                .isTrue();
        DeliveryLog.Inserted inserted = log.insert(List.of(aDelivery("after")), 1);
        assertThat(inserted.inserted()).isEqualTo(1);
        assertThat(inserted.claimed()).isEmpty();
        assertThat(column("after", "status")).isEqualTo("FAILED");
        assertThat(log.claimDue(1))
                .singleElement()
                .satisfies(d -> assertThat(d.suppressed()).isTrue());
        assertThat(deliveries.requeue(new DeliveryId("after", "welcome_email"), false))
                .isEqualTo(Deliveries.Requeued.SUPPRESSED);
        assertThat(suppressions.remove("AFTER@example.com")).isTrue();
        assertThat(deliveries.requeue(new DeliveryId("after", "welcome_email"), false))
                .isEqualTo(Deliveries.Requeued.DONE);
    }

    @Test
    void pagesDoNotOverlap() {
        log.insert(IntStream.range(0, 25).mapToObj(i -> aDelivery("u-" + i)).toList(), 5);
        Deliveries.Page first = deliveries.list(null, 10, null);
        Deliveries.Page second = deliveries.list(null, 10, first.next());
        Deliveries.Page third = deliveries.list(null, 10, second.next());
        assertThat(third.next()).isNull();
        List<String> users = new ArrayList<>();
        List.of(first, second, third).forEach(page -> page.deliveries().forEach(d -> users.add(d.userId())));
        assertThat(users).hasSize(25).doesNotHaveDuplicates().startsWith("u-24");
        assertThat(deliveries.list(DeliveryStatus.SENDING, 10, null).deliveries())
                .hasSize(5);
        assertThat(deliveries.figures().open()).isEqualTo(25);
        assertThat(deliveries.figures().sending()).isEqualTo(5);
    }
}
