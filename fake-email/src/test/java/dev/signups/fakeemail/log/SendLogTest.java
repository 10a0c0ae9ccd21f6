package dev.signups.fakeemail.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SendLogTest {

    private static final Instant NOON = Instant.parse("2026-10-21T12:00:00.123456Z");

    private final SendLog log = new SendLog(1000);

    @Test
    void countsAnAddressOnceAndTheRestAsDuplicates() {
        send("ada@example.com", Result.ACCEPTED);
        send("Ada@Example.com", Result.ACCEPTED_THEN_RESET);
        send("ada@example.com", Result.REPLAYED);
        send("bob@example.com", Result.FAILED);
        send("bob@example.com", Result.RATE_LIMITED);
        send("eve@example.com", Result.ADDRESS_REJECTED);
        log.arrive("bob@example.com", "k", NOON);

        assertThat(log.counts()).isEqualTo(new SendCounts(7, 2, 1, 1, 1, 1, 1, 1, 1));
    }

    @Test
    void tellsWhatAnAddressGot() {
        log.arrive("ada@example.com", "key-1", NOON).end(Result.FAILED, null, NOON.plusSeconds(3));
        log.arrive("ada@example.com", "key-1", NOON.plusSeconds(5)).end(Result.ACCEPTED, "msg_1", NOON.plusSeconds(8));
        log.arrive("ada@example.com", "key-1", NOON.plusSeconds(9));

        AddressReport report = log.report("ADA@example.com");

        assertThat(report.requests()).isEqualTo(3);
        assertThat(report.accepted()).isEqualTo(1);
        assertThat(report.firstRequestAt()).isEqualTo(NOON);
        assertThat(report.firstAcceptedAt()).isEqualTo(NOON.plusSeconds(8));
        assertThat(report.sends())
                .containsExactly(
                        new AddressReport.Entry(NOON, "key-1", Result.FAILED, null),
                        new AddressReport.Entry(NOON.plusSeconds(5), "key-1", Result.ACCEPTED, "msg_1"),
                        new AddressReport.Entry(NOON.plusSeconds(9), "key-1", null, null));
        assertThat(report.toString()).doesNotContain("ada");
        assertThat(log.report("nobody@example.com").requests()).isZero();
    }

    @Test
    void keepsTheLatestSendsOnlyButCountsAll() {
        for (int i = 0; i < 250; i++) {
            log.arrive("ada@example.com", "key-" + i, NOON).end(Result.FAILED, null, NOON);
        }

        AddressReport report = log.report("ada@example.com");
        assertThat(report.requests()).isEqualTo(250);
        assertThat(report.sends()).hasSize(100);
        assertThat(report.sends().getLast().key()).isEqualTo("key-249");
    }

    @Test
    void forgetsTheOldestSendsOfAllButNoAddress() {
        var small = new SendLog(10);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10; i++) {
                small.arrive("user" + i + "@example.com", "k", NOON).end(Result.FAILED, null, NOON);
            }
        }

        assertThat(IntStream.range(0, 10).mapToObj(i -> small.report("user" + i + "@example.com")))
                .allSatisfy(report -> {
                    assertThat(report.requests()).isEqualTo(3);
                    assertThat(report.sends()).hasSize(1);
                });
    }

    @Test
    void saysSoWhenThereIsNoRoomForAnotherAddress() {
        var small = new SendLog(1);

        assertThat(small.arrive("ada@example.com", "k", NOON).isUnrecorded()).isFalse();
        assertThat(small.arrive("bob@example.com", "k", NOON).isUnrecorded()).isTrue();
        assertThat(small.arrive("ada@example.com", "k", NOON).isUnrecorded()).isFalse();
    }

    @Test
    void clearingLeavesOutWhatIsStillInFlight() {
        Send before = log.arrive("ada@example.com", "k", NOON);
        log.clear();
        before.end(Result.ACCEPTED, "msg_1", NOON);

        assertThat(log.counts()).isEqualTo(new SendCounts(0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void givesEveryFirstRequestAtOnce() {
        send("ada@example.com", Result.ACCEPTED);
        log.arrive("ada@example.com", "k", NOON.plusSeconds(5));

        assertThat(log.firstRequests())
                .containsExactly(new FirstRequest("ada@example.com", 1792584000123456L, 1792584001123456L, 2, 1));
    }

    @Test
    void balancesAtEveryMomentUnderManyThreads() {
        var running = new AtomicBoolean(true);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var watcher = threads.submit(() -> {
                while (running.get()) {
                    SendCounts c = log.counts();
                    assertThat(c.requests())
                            .isEqualTo(c.accepted()
                                    + c.replayed()
                                    + c.failed()
                                    + c.rejected()
                                    + c.rateLimited()
                                    + c.inFlight());
                    assertThat(c.accepted()).isEqualTo(c.acceptedUnique() + c.duplicates());
                }
                return null;
            });
            var senders = IntStream.range(0, 8)
                    .mapToObj(thread -> threads.submit(() -> {
                        for (int i = 0; i < 2_000; i++) {
                            send("user" + i % 500 + "@example.com", Result.values()[i % Result.values().length]);
                        }
                        return null;
                    }))
                    .toList();
            for (var sender : senders) {
                assertThat(sender).succeedsWithin(Duration.ofSeconds(60));
            }
            running.set(false);
            assertThat(watcher).succeedsWithin(Duration.ofSeconds(60));
        }
        assertThat(log.counts().requests()).isEqualTo(16_000);
        assertThat(log.counts().inFlight()).isZero();
    }

    private void send(String to, Result result) {
        log.arrive(to, "k", NOON).end(result, null, NOON.plusSeconds(1));
    }
}
