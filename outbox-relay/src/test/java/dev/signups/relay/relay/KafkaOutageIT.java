package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalKafka;
import dev.signups.localstack.LocalStack;
import dev.signups.localstack.Ports;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka goes away, for shorter and longer than every time-out: the relay waits, says so, and goes on by itself. */
class KafkaOutageIT {

    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    static Path folder;

    private static LocalKafka kafka;

    private final Outbox outbox = Outbox.create(LocalStack.postgres());
    private final List<UUID> ids = new ArrayList<>();

    @BeforeAll
    static void start() {
        kafka = LocalKafka.start(
                folder.resolve("kafka"),
                0,
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found=true",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms=500");
    }

    @AfterAll
    static void stop() {
        kafka.kill();
    }

    /** Longer than delivery.timeout.ms and than the transaction's time-out, both made short. */
    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void goesOnByItselfAfterKafkaDidNotAnswer(Reader reader) throws SQLException {
        try (TestRelay relay = TestRelay.of(outbox, kafka.bootstrapServers())
                        .engine(TestRelay.engine(reader, 50))
                        .impatient()
                        .start()
                        .awaitReady();
                Topic topic = topic()) {
            insert(100);
            topic.await(100);
            kafka.pause();
            try {
                insert(200);
                relay.awaitNotReady(SOON, "Kafka");
                String confirmed = confirmed();
                LockSupport.parkNanos(Duration.ofSeconds(6).toNanos());
                assertThat(confirmed()).as("the slot stands still").isEqualTo(confirmed);
            } finally {
                kafka.resume();
            }
            topic.await(300, Duration.ofSeconds(60));
            assertThat(topic.ids()).hasSize(300).doesNotHaveDuplicates();
            assertThat(topic.ids()).containsExactlyElementsOf(ids);
            relay.awaitReady(SOON);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 300})
    @Tag("long")
    void goesOnByItselfAfterALongOutage(int seconds) throws SQLException {
        try (TestRelay relay = TestRelay.start(outbox, kafka.bootstrapServers()).awaitReady();
                Topic topic = topic()) {
            insert(100);
            topic.await(100);
            kafka.stop();
            long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            try {
                insert(500);
                relay.awaitNotReady(SOON, "Kafka");
                while (System.nanoTime() < until) {
                    LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
                    assertThat(relay.isReady()).isFalse();
                }
                insert(500);
            } finally {
                kafka.start();
            }
            long back = System.nanoTime();
            topic.await(1100, Duration.ofSeconds(90));
            System.out.printf(
                    "kafka away s=%d, back to all delivered ms=%d%n", seconds, (System.nanoTime() - back) / 1_000_000);
            assertThat(topic.ids()).containsExactlyElementsOf(ids);
            relay.awaitReady(SOON);
        }
    }

    @Test
    void killedBrokerLosesAndRepeatsNothing() throws Exception {
        try (TestRelay relay = TestRelay.of(outbox, kafka.bootstrapServers())
                        .engine(TestRelay.engine(Reader.DIRECT, 10))
                        .impatient()
                        .start()
                        .awaitReady();
                Topic topic = topic()) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try {
                    insert(2000);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            topic.awaitMore(300, Duration.ofSeconds(60));
            kafka.kill();
            kafka.start();
            writing.get();
            topic.await(2000, Duration.ofSeconds(90));
            assertThat(topic.repeated()).isEmpty();
            assertThat(topic.ids()).containsExactlyElementsOf(ids);
            relay.awaitReady(SOON);
        } finally {
            if (!kafka.isRunning()) {
                kafka.start();
            }
        }
    }

    /** The broker ends the transaction while the relay still holds it open: here, held back by a quota. */
    @Test
    void transactionThatTimesOutIsSentAgain() throws SQLException {
        String client = "outbox-relay-" + outbox.slot();
        try (TestRelay relay = TestRelay.of(outbox, kafka.bootstrapServers())
                        .client("transaction.timeout.ms", 2000)
                        .client("compression.type", "none")
                        .start()
                        .awaitReady();
                KafkaAdmin admin = new KafkaAdmin(kafka.bootstrapServers());
                Topic topic = topic()) {
            insert(1);
            topic.await(1);
            admin.quota(client, 2000.0);
            outbox.asOwner("insert into outbox(id, aggregatetype, aggregateid, type, payload) select"
                    + " gen_random_uuid(), 'user', 'k', 'UserSignedUp', to_json(repeat('x', 2000))"
                    + " from generate_series(1, 20) i");
            relay.awaitNotReady(Duration.ofSeconds(20), "Kafka");
            admin.quota(client, null);
            topic.await(21);
            assertThat(topic.ids()).hasSize(21).doesNotHaveDuplicates();
            relay.awaitReady(SOON);
            assertThat(relay.failures()).as("premise: the transaction was lost").isPositive();
        }
    }

    @Test
    void wrongAddressKeepsTheSlotWhereItIs() throws SQLException {
        publishOne();
        String confirmed = confirmed();
        insert(5);
        try (TestRelay relay =
                TestRelay.of(outbox, "127.0.0.1:" + Ports.free()).impatient().start()) {
            relay.awaitNotReady(Duration.ofSeconds(20), "Kafka", "KAFKA_BOOTSTRAP_SERVERS");
            assertThat(confirmed()).isEqualTo(confirmed);
        }
        assertAllOnce();
    }

    @Test
    void missingTopicIsNamedAndWaitedForWhereTheRelayMayNotMakeIt() throws SQLException {
        publishOne();
        try (TestRelay relay = TestRelay.of(outbox, kafka.bootstrapServers())
                        .createTopics(false)
                        .start()
                        .awaitReady();
                KafkaAdmin admin = new KafkaAdmin(kafka.bootstrapServers())) {
            String name = outbox.database() + ".event.other";
            String confirmed = confirmed();
            UUID other = outbox.insertEvent("other", "k", "{}");
            insert(1);
            relay.awaitNotReady(SOON, name, "create it");
            String lsn = outbox.query("select pg_current_wal_lsn()");
            assertThat(outbox.query("select confirmed_flush_lsn < '" + lsn + "' " + slot()))
                    .isEqualTo("t");
            assertThat(admin.exists(name)).isFalse();
            assertThat(confirmed()).isGreaterThanOrEqualTo(confirmed);
            admin.create(name, 1);
            try (Topic topic = new Topic(kafka.bootstrapServers(), name)) {
                assertThat(topic.await(1).ids()).containsExactly(other);
            }
            relay.awaitReady(SOON);
        }
        assertAllOnce();
    }

    /** Every send is refused until the topic is allowed again. */
    @Test
    void sendsThatFailAtFirstKeepTheOrderOfTheirKey() throws SQLException {
        publishOne();
        String name = outbox.database() + ".event.user";
        try (TestRelay relay = TestRelay.of(outbox, kafka.bootstrapServers())
                        .impatient()
                        .start()
                        .awaitReady();
                KafkaAdmin admin = new KafkaAdmin(kafka.bootstrapServers())) {
            admin.deny(name);
            insertTogether(3);
            relay.awaitNotReady(SOON, "Authorization", name);
            String confirmed = confirmed();
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            assertThat(confirmed()).isEqualTo(confirmed);
            admin.allow(name);
            relay.awaitReady(Duration.ofSeconds(20));
        }
        assertAllOnce();
    }

    private void publishOne() throws SQLException {
        try (var _ = TestRelay.start(outbox, kafka.bootstrapServers()).awaitReady();
                Topic topic = topic()) {
            insert(1);
            topic.await(1);
        }
    }

    private void assertAllOnce() {
        try (var _ = TestRelay.start(outbox, kafka.bootstrapServers());
                Topic topic = topic()) {
            assertThat(topic.await(ids.size()).ids()).containsExactlyElementsOf(ids);
        }
    }

    /** So many transactions of one row each, all of one key. */
    private void insert(int rows) throws SQLException {
        try (Connection connection = outbox.connect()) {
            for (int i = 0; i < rows; i++) {
                ids.add(Outbox.insert(connection, "user", "k", Integer.toString(i)));
            }
        }
    }

    /** Rows of one key in one transaction, so that the try that fails holds them all. */
    private void insertTogether(int rows) throws SQLException {
        try (Connection connection = outbox.connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rows; i++) {
                ids.add(Outbox.insert(connection, "user", "k", Integer.toString(i)));
            }
            connection.commit();
        }
    }

    private String slot() {
        return "from pg_replication_slots where slot_name = '" + outbox.slot() + "'";
    }

    private String confirmed() {
        return outbox.query("select confirmed_flush_lsn " + slot());
    }

    private Topic topic() {
        return new Topic(kafka.bootstrapServers(), outbox.database() + ".event.user");
    }
}
