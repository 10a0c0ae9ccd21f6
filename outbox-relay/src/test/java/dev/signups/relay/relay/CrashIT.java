package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.Signals;
import dev.signups.localstack.Stack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** kill -9 at chosen places; {@link KillFuzzIT} has the random ones. */
@Tag("contract")
class CrashIT {

    private static final Duration GAP = Duration.ofSeconds(2);

    private final String kafka = Stack.current().kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(Stack.current().postgres());

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void goesOnInsideACopyAfterKills(Reader reader) throws Exception {
        List<UUID> ids = List.of();
        int delivered = 0;
        for (int kill = 0; kill < 3; kill++) {
            Process relay = KilledRelay.spawn(outbox, kafka, reader, 4, folder.resolve("relay.log"), GAP);
            try {
                if (kill == 0) {
                    awaitStream();
                    ids = outbox.copy(20, "k");
                }
                try (Topic topic = topic()) {
                    topic.await(delivered + 1);
                }
            } finally {
                Signals.send(relay.pid(), "KILL");
                relay.waitFor();
            }
            try (Topic topic = topic()) {
                int before = delivered;
                delivered = topic.await(before + 1, Duration.ofSeconds(1)).ids().size();
                assertThat(delivered)
                        .as("delivered before kill " + kill + " came")
                        .isGreaterThan(before)
                        .isLessThan(20);
            }
        }
        try (var _ = TestRelay.of(outbox, kafka)
                        .engine(TestRelay.engine(reader, 4))
                        .start();
                Topic topic = topic()) {
            assertThat(topic.await(20).ids()).containsExactlyElementsOf(ids);
        }
    }

    @Test
    void finishesARecoveryThatWasKilled() throws Exception {
        outbox.insertMany(2500);
        Process relay = KilledRelay.spawn(outbox, kafka, Reader.DIRECT, 4096, folder.resolve("relay.log"), GAP);
        try (Topic topic = topic()) {
            topic.await(1);
        } finally {
            Signals.send(relay.pid(), "KILL");
            relay.waitFor();
        }
        try (var _ = TestRelay.start(outbox, kafka);
                Topic topic = topic()) {
            // premise: the kill came between two of the recovery's transactions
            assertThat(topic.drain().ids()).hasSizeLessThan(2500);
            topic.await(2500);
            assertThat(topic.repeated()).isEmpty();
            assertThat(topic.ids()).hasSize(2500);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void publishesInterleavedTransactionsInOrderOfTheirCommitsOverARestart(Reader reader) throws Exception {
        TestRelay.Settings settings = TestRelay.of(outbox, kafka).engine(TestRelay.engine(reader, 4));
        List<UUID> first = new ArrayList<>();
        List<UUID> second = new ArrayList<>();
        try (Connection a = outbox.connect();
                Connection b = outbox.connect();
                Topic topic = topic()) {
            a.setAutoCommit(false);
            try (var _ = settings.start().awaitReady()) {
                for (int i = 0; i < 5; i++) {
                    first.add(Outbox.insert(a, "user", "k", "{\"a\":" + i + "}"));
                }
                second.add(Outbox.insert(b, "user", "k", "{\"b\":0}"));
                for (int i = 5; i < 10; i++) {
                    first.add(Outbox.insert(a, "user", "k", "{\"a\":" + i + "}"));
                }
                assertThat(topic.await(1).ids()).isEqualTo(second);
            }
            a.commit();
            try (var _ = settings.start()) {
                List<UUID> all = new ArrayList<>(second);
                all.addAll(first);
                assertThat(topic.await(11).ids()).containsExactlyElementsOf(all);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void leavesOutWhatWasRolledBack(Reader reader) throws Exception {
        try (var _ = TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Connection connection = outbox.connect();
                Topic topic = topic()) {
            connection.setAutoCommit(false);
            Outbox.insert(connection, "user", "k", "{\"ghost\":1}");
            connection.rollback();
            UUID kept = Outbox.insert(connection, "user", "k", "{}");
            var savepoint = connection.setSavepoint();
            Outbox.insert(connection, "user", "k", "{\"ghost\":2}");
            connection.rollback(savepoint);
            UUID last = Outbox.insert(connection, "user", "k", "{}");
            connection.commit();
            assertThat(topic.await(2).ids()).containsExactly(kept, last);
        }
    }

    private void awaitStream() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> outbox.query(
                                "select active from pg_replication_slots where slot_name = '" + outbox.slot() + "'")
                        .equals("t"));
    }

    private Topic topic() {
        return new Topic(kafka, outbox.database() + ".event.user");
    }
}
