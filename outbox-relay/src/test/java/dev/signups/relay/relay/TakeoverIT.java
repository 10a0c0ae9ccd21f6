package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalStack;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("times a takeover")
class TakeoverIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    @Test
    void standbySaysSoAndTakesOverFromAKilledLeader() {
        try (RelayProcess leader = RelayProcess.start(outbox, kafka).awaitReady();
                RelayProcess standby = RelayProcess.start(outbox, kafka).awaitReady();
                Topic topic = topic()) {
            assertThat(leader.role()).isEqualTo("leader");
            assertThat(standby.role()).isEqualTo("standby");
            assertThat(standby.get("/actuator/health/readiness").body()).contains("\"role\":\"standby\"");
            assertThat(metric(leader, "relay_leader")).isEqualTo("1.0");
            assertThat(metric(standby, "relay_leader")).isEqualTo("0.0");
            outbox.insert("a", "b");
            topic.await(2);

            leader.kill();
            long killed = System.nanoTime();
            outbox.insert("c");
            topic.awaitMore(3, Duration.ofSeconds(30));
            Duration took = Duration.ofNanos(System.nanoTime() - killed);
            System.out.println("takeover ms=" + took.toMillis());
            assertThat(took).as("from kill -9 to the next row").isLessThan(Duration.ofSeconds(5));
            assertThat(topic.drain().ids()).hasSize(3).doesNotHaveDuplicates();
            assertThat(standby.role()).isEqualTo("leader");
        }
    }

    /** A single connection tells the leader that it leads; the standby gives a silent one up after the lease. */
    @Test
    void pausedLeaderIsFencedAndStandsByWhenItComesBack() throws Exception {
        int rows = 3000;
        String smallBatches = "relay.engine.batch-rows=20";
        try (RelayProcess first =
                        RelayProcess.start(outbox, kafka, smallBatches).awaitReady();
                RelayProcess second =
                        RelayProcess.start(outbox, kafka, smallBatches).awaitReady();
                ExecutorService writer = Executors.newSingleThreadExecutor();
                Topic topic = topic()) {
            Future<?> writing = writer.submit(() -> write(rows));
            topic.awaitMore(300, Duration.ofSeconds(60));

            pauseInTransaction(first);
            await().atMost(Duration.ofSeconds(20)).until(() -> second.role().equals("leader"));
            int before = topic.drain().ids().size();
            topic.awaitMore(Math.min(rows, before + 300), Duration.ofSeconds(30));
            first.resume();
            await().atMost(Duration.ofSeconds(20)).until(() -> first.role().equals("standby"));

            writing.get();
            topic.await(rows, Duration.ofSeconds(60));
            assertThat(topic.repeated()).isEmpty();
            assertThat(topic.ids()).hasSize(rows);
            assertInOrder(topic);
            assertThat(first.readiness()).isEqualTo(200);
            assertThat(second.role()).isEqualTo("leader");

            second.kill();
            outbox.insert("last");
            assertThat(topic.await(rows + 1).ids()).hasSize(rows + 1).doesNotHaveDuplicates();
        }
    }

    /** Stopped with rows sent and not committed: if it may commit them when it comes back, they are there twice. */
    private void pauseInTransaction(RelayProcess relay) {
        try (KafkaAdmin admin = new KafkaAdmin(kafka)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                relay.pause();
                long paused = System.nanoTime();
                while (System.nanoTime() - paused < 400_000_000) {
                    if (admin.hasOpenTransaction("outbox-relay-" + outbox.slot(), Duration.ofMillis(200))) {
                        return true;
                    }
                    LockSupport.parkNanos(20_000_000);
                }
                relay.resume();
                return false;
            });
        }
    }

    /** Two live relays: whoever loses the lock while it publishes must not publish beside the other. */
    @Test
    void leaderThatLosesItsLockUnderLoadHandsOver() throws Exception {
        int rows = 4000;
        TestRelay.Settings settings = TestRelay.of(outbox, kafka)
                .engine(TestRelay.engine(dev.signups.relay.engine.EngineProperties.Reader.DIRECT, 20));
        try (var _ = settings.start().awaitReady();
                var _ = settings.start().awaitReady();
                ExecutorService writer = Executors.newSingleThreadExecutor();
                Topic topic = topic()) {
            Future<?> writing = writer.submit(() -> write(rows));
            for (int i = 1; i <= 6; i++) {
                topic.awaitMore(i * 400, Duration.ofSeconds(60));
                outbox.asSuperuser(
                        "select pg_terminate_backend(l.pid) from pg_locks l where locktype = 'advisory'"
                                + " and granted and database = (select oid from pg_database where datname = current_database())");
            }
            writing.get();
            topic.await(rows, Duration.ofSeconds(60));
            assertThat(topic.repeated()).isEmpty();
            assertThat(topic.ids()).hasSize(rows);
            assertInOrder(topic);
        }
    }

    @Test
    @Tag("long")
    void threeInstancesRestartedInTurnUnderLoad() throws Exception {
        AtomicBoolean more = new AtomicBoolean(true);
        List<RelayProcess> relays = new ArrayList<>();
        try (ExecutorService writer = Executors.newSingleThreadExecutor();
                Topic topic = topic()) {
            for (int i = 0; i < 3; i++) {
                relays.add(RelayProcess.start(outbox, kafka).awaitReady());
            }
            Future<Integer> writing = writer.submit(() -> {
                int n = 0;
                while (more.get()) {
                    write(n, 100);
                    n += 100;
                }
                return n;
            });
            for (int round = 0; round < 6; round++) {
                relays.get(round % 3).stop();
                relays.set(round % 3, RelayProcess.start(outbox, kafka).awaitReady());
                topic.drain();
            }
            more.set(false);
            int rows = writing.get();
            topic.await(rows, Duration.ofSeconds(60));
            System.out.println("rolling restart rows=" + rows);
            assertThat(topic.repeated()).isEmpty();
            assertThat(topic.ids()).hasSize(rows);
            assertInOrder(topic);
        } finally {
            relays.forEach(RelayProcess::close);
        }
    }

    private int write(int rows) throws Exception {
        write(0, rows);
        return rows;
    }

    /** One row a transaction, ten keys, numbered within the key. */
    private void write(int from, int rows) throws Exception {
        try (Connection connection = outbox.connect()) {
            for (int i = from; i < from + rows; i++) {
                Outbox.insert(connection, "user", "k" + i % 10, Integer.toString(i / 10));
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private static void assertInOrder(Topic topic) {
        Map<String, Integer> next = new HashMap<>();
        topic.records().forEach(record -> {
            if (record.value().startsWith("{")) {
                return;
            }
            int n = next.merge(record.key(), 1, Integer::sum) - 1;
            assertThat(record.value()).as("order of key " + record.key()).isEqualTo(Integer.toString(n));
        });
    }

    private static String metric(RelayProcess relay, String name) {
        return relay.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("");
    }

    private Topic topic() {
        return new Topic(kafka, outbox.database() + ".event.user");
    }
}
