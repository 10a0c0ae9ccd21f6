package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.localstack.Signals;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** PostgreSQL goes away, comes back, forgets, takes rights away: the relay says so and goes on. */
@ExtendWith(OutputCaptureExtension.class)
class PostgresOutageIT {

    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    static Path folder;

    private static LocalPostgres postgres;

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(postgres);
    private final List<UUID> ids = new ArrayList<>();

    @BeforeAll
    static void start() {
        postgres = LocalPostgres.start(
                folder.resolve("postgres"),
                0,
                "max_slot_wal_keep_size=48MB",
                "max_wal_size=64MB",
                "checkpoint_timeout=1h");
    }

    @AfterAll
    static void stop() {
        postgres.stop(LocalPostgres.StopMode.IMMEDIATE);
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void rowsFlowAgainWithinSecondsOfTheServersReturn(Reader reader) {
        try (TestRelay relay =
                        TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Topic topic = topic()) {
            insert(topic);

            outbox.asSuperuser("select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = '"
                    + outbox.slot() + "'");
            long returned = System.nanoTime();
            ids.addAll(outbox.insert("k"));
            topic.awaitMore(ids.size(), Duration.ofSeconds(30));
            print(reader, "walsender ended", returned);

            for (LocalPostgres.StopMode mode : LocalPostgres.StopMode.values()) {
                postgres.stop(mode);
                relay.awaitNotReady(SOON, "PostgreSQL");
                postgres.start();
                returned = System.nanoTime();
                ids.addAll(outbox.insert("k"));
                topic.awaitMore(ids.size(), Duration.ofSeconds(30));
                Duration took = print(reader, "stopped " + mode, returned);
                assertThat(took).as("after stop " + mode).isLessThan(SOON);
            }
            relay.awaitReady(SOON);
            assertThat(topic.drain().ids()).containsExactlyElementsOf(ids);
        } finally {
            if (!postgres.isRunning()) {
                postgres.start();
            }
        }
    }

    /** The slot is rarely written to disk: after a crash it stands where it stood when it last was. */
    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void crashThatTakesTheConfirmedPlaceBackRepeatsNothing(Reader reader) {
        TestRelay.Settings settings = TestRelay.of(outbox, kafka).engine(TestRelay.engine(reader, 3));
        try (Topic topic = topic()) {
            await("premise: a crash takes it back")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> crashTakesTheConfirmedPlaceBack(settings, topic));
            ids.addAll(outbox.insert("k"));
            try (var _ = settings.start()) {
                assertThat(topic.await(ids.size()).ids()).containsExactlyElementsOf(ids);
            }
        }
    }

    /**
     * Not each crash does: besides checkpoints, a confirmation after the server's own snapshot of running transactions
     * (every 15 s, and at a checkpoint) writes the slot, and that may be the last one.
     */
    private boolean crashTakesTheConfirmedPlaceBack(TestRelay.Settings settings, Topic topic) {
        try (var _ = settings.start().awaitReady()) {
            insert(topic);
            outbox.asSuperuser("checkpoint");
            for (int i = 0; i < 20; i++) {
                ids.addAll(outbox.insert("k", "k"));
            }
            topic.awaitMore(ids.size(), Duration.ofSeconds(30));
            String last = outbox.query("select pg_current_wal_lsn()");
            await().atMost(SOON)
                    .until(() -> outbox.query("select confirmed_flush_lsn >= '" + last + "' " + slot())
                            .equals("t"));
        }
        String before = confirmed();
        postgres.stop(LocalPostgres.StopMode.IMMEDIATE);
        postgres.start();
        return outbox.query("select '" + confirmed() + "'::pg_lsn < '" + before + "'::pg_lsn")
                .equals("t");
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void revokedReplicationIsNamedAndMended(Reader reader, CapturedOutput output) {
        try (TestRelay relay =
                        TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Topic topic = topic()) {
            insert(topic);
            revokeReplication();
            relay.awaitNotReady(SOON, "alter role relay replication;");
            assertThat(output).contains("role relay may not replicate -> alter role relay replication;");
            ids.addAll(outbox.insert("k"));
            outbox.asSuperuser("alter role relay replication");
            relay.awaitReady(SOON);
            assertThat(topic.await(ids.size()).ids()).containsExactlyElementsOf(ids);
        } finally {
            outbox.asSuperuser("alter role relay replication");
        }
    }

    /** As an orchestrator, or whoever looks after the process, is told it. */
    @Test
    void readinessIsDownWithTheReasonWhileReplicationIsRevoked() {
        try (RelayProcess relay = RelayProcess.start(outbox, kafka).awaitReady()) {
            revokeReplication();
            // down at once because the stream ended, and with the mend as soon as the next session has looked why
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(relay.get("/actuator/health/readiness"))
                            .satisfies(
                                    answer -> assertThat(answer.status()).isEqualTo(503),
                                    answer -> assertThat(answer.body())
                                            .contains("alter role relay replication;", "\"role\":\"leader\"")));
            assertThat(relay.get("/actuator/health/liveness").status()).isEqualTo(200);
            outbox.asSuperuser("alter role relay replication");
            await().atMost(SOON).until(() -> relay.readiness() == 200);
        } finally {
            outbox.asSuperuser("alter role relay replication");
        }
    }

    private void revokeReplication() {
        outbox.asSuperuser("alter role relay noreplication");
        outbox.asSuperuser("select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = '"
                + outbox.slot() + "'");
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void engineThatDiesIsReplaced(Reader reader) {
        try (TestRelay relay =
                        TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Topic topic = topic()) {
            insert(topic);
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("relay-engine-" + outbox.slot()))
                    .forEach(Thread::interrupt);
            ids.addAll(outbox.insert("k"));
            // sooner than by the silence of the stream, which would be noticed too
            topic.awaitMore(ids.size(), SOON);
            relay.awaitReady(SOON);
            ids.addAll(outbox.insert("k"));
            assertThat(topic.await(ids.size()).ids()).containsExactlyElementsOf(ids);
        }
    }

    /** A connection that stands and carries nothing, as when the other side's machine has gone. */
    @Test
    void streamThatFallsSilentIsNoticed() {
        try (TestRelay relay = TestRelay.of(outbox, kafka)
                        .silence(Duration.ofSeconds(3))
                        .start()
                        .awaitReady();
                Topic topic = topic()) {
            insert(topic);
            long sender = Long.parseLong(outbox.query("select active_pid " + slot()));
            Signals.send(sender, "STOP");
            try {
                ids.addAll(outbox.insert("k"));
                relay.awaitNotReady(SOON, "");
            } finally {
                Signals.send(sender, "CONT");
            }
            topic.await(ids.size());
            relay.awaitReady(Duration.ofSeconds(20));
            assertThat(topic.drain().ids()).containsExactlyElementsOf(ids);
        }
    }

    @Test
    void slotThatTheServerGaveUpIsReplacedAndTheGapClosed() {
        try (Topic topic = topic()) {
            try (var _ = TestRelay.start(outbox, kafka).awaitReady()) {
                insert(topic);
            }
            ids.addAll(outbox.insert("k", "k"));
            outbox.asSuperuser("select count(pg_logical_emit_message(false, 'test', repeat('x', 1000000)))"
                    + " from generate_series(1, 150)");
            outbox.asSuperuser("checkpoint");
            assertThat(outbox.query("select wal_status " + slot()))
                    .as("premise")
                    .isEqualTo("lost");
            ids.addAll(outbox.insert("k"));
            try (var _ = TestRelay.start(outbox, kafka).awaitReady()) {
                ids.addAll(outbox.insert("k"));
                assertThat(topic.await(ids.size()).ids()).containsExactlyElementsOf(ids);
            }
        }
    }

    private void insert(Topic topic) {
        ids.addAll(outbox.insert("k", "k"));
        topic.await(ids.size());
    }

    private static Duration print(Reader reader, String what, long since) {
        Duration took = Duration.ofNanos(System.nanoTime() - since);
        System.out.printf("postgres outage reader=%s case='%s' ms=%d%n", reader, what, took.toMillis());
        return took;
    }

    private String slot() {
        return "from pg_replication_slots where slot_name = '" + outbox.slot() + "'";
    }

    private String confirmed() {
        return outbox.query("select confirmed_flush_lsn " + slot());
    }

    private Topic topic() {
        return new Topic(kafka, outbox.database() + ".event.user");
    }
}
