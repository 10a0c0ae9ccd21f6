package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalStack;
import dev.signups.localstack.Signals;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers, rollbacks, COPY and kill -9 at random moments: what the table holds is what a read_committed reader gets,
 * each row once, and the rows of a key in the order of their commits.
 */
class KillFuzzIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    /** Between two transactions of one of the four writers. */
    private long pauseNanos = 2_000_000;

    @TempDir
    Path folder;

    @Test
    void losesNothingAndRepeatsNothingOverKills() throws Exception {
        pauseNanos = 20_000_000;
        fuzz(Reader.DIRECT, 7, 4, Duration.ofMillis(1500));
    }

    @Test
    @Tag("long")
    void losesNothingAndRepeatsNothingOverManyKills() throws Exception {
        fuzz(
                Reader.DIRECT,
                Integer.getInteger("kills.batch", 4096),
                Integer.getInteger("kills", 200),
                Duration.ofMillis(1500));
    }

    @Test
    @Tag("long")
    void stockReaderLosesNothingAndRepeatsNothingOverManyKills() throws Exception {
        fuzz(Reader.STOCK, 7, Integer.getInteger("kills", 40), Duration.ofMillis(1500));
    }

    private void fuzz(Reader reader, int batch, int kills, Duration life) throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        Random random = new Random(42);
        try (ExecutorService writers = Executors.newCachedThreadPool()) {
            List<Future<Integer>> written = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                written.add(writers.submit(writer(w, writing)));
            }
            for (int kill = 0; kill < kills; kill++) {
                Process relay = KilledRelay.spawn(outbox, kafka, reader, batch, folder.resolve("relay.log"));
                // every fourth is killed while it starts, the others some time after they have begun to publish
                if (kill % 4 != 3) {
                    awaitStreaming(relay, kill);
                }
                boolean ended = relay.waitFor(
                        random.nextInt((int) life.toMillis()), java.util.concurrent.TimeUnit.MILLISECONDS);
                assertThat(ended).as("the relay ended by itself").isFalse();
                Signals.send(relay.pid(), "KILL");
                relay.waitFor();
            }
            writing.set(false);
            for (Future<Integer> each : written) {
                each.get();
            }
        }
        Set<UUID> rows = rows();
        try (var _ = TestRelay.start(outbox, kafka);
                Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            topic.await(rows.size(), Duration.ofMinutes(3));
            List<UUID> ids = topic.ids();
            System.out.printf(
                    "fuzz reader=%s batch=%d kills=%d rows=%d delivered=%d repeated=%d%n",
                    reader,
                    batch,
                    kills,
                    rows.size(),
                    ids.size(),
                    topic.repeated().size());
            assertThat(topic.repeated()).as("repeated").isEmpty();
            Set<UUID> lost = new HashSet<>(rows);
            lost.removeAll(new HashSet<>(ids));
            assertThat(lost).as("lost").isEmpty();
            assertThat(ids).as("rows that were rolled back").hasSize(rows.size());
            assertInOrder(topic);
        }
    }

    private void awaitStreaming(Process relay, int kill) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !relay.isAlive()
                        || outbox.query("select active from pg_replication_slots where slot_name = '" + outbox.slot()
                                        + "'")
                                .equals("t"));
        assertThat(relay.isAlive()).as("relay " + kill + " lives").isTrue();
    }

    /** A writer owns its keys and numbers its rows; a number is used again only after a rollback. */
    private Callable<Integer> writer(int writer, AtomicBoolean writing) {
        return () -> {
            Random random = new Random(writer);
            int next = 0;
            while (writing.get()) {
                try (Connection connection = outbox.connect()) {
                    connection.setAutoCommit(false);
                    for (int i = 0; i < 200 && writing.get(); i++) {
                        int rows = 1 + random.nextInt(3);
                        boolean copy = random.nextInt(20) == 0;
                        if (copy) {
                            rows = 20;
                            copy(connection, writer, next, rows);
                        } else {
                            for (int r = 0; r < rows; r++) {
                                Outbox.insert(connection, "user", "w" + writer, "{\"n\":" + (next + r) + "}");
                            }
                        }
                        if (random.nextInt(10) == 0) {
                            connection.rollback();
                        } else {
                            connection.commit();
                            next += rows;
                        }
                        java.util.concurrent.locks.LockSupport.parkNanos(pauseNanos);
                    }
                }
            }
            return next;
        };
    }

    private static void copy(Connection connection, int writer, int from, int rows) throws SQLException, IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            lines.append(UUID.randomUUID())
                    .append("\tuser\tw")
                    .append(writer)
                    .append("\tUserSignedUp\t{\"n\":")
                    .append(from + i)
                    .append("}\t\\N\t" + java.time.Instant.now() + "\n");
        }
        connection
                .unwrap(org.postgresql.PGConnection.class)
                .getCopyAPI()
                .copyIn(
                        "copy outbox from stdin",
                        new java.io.ByteArrayInputStream(
                                lines.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    private Set<UUID> rows() throws SQLException {
        Set<UUID> ids = new HashSet<>();
        try (Connection connection = outbox.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from outbox")) {
            while (rows.next()) {
                ids.add(rows.getObject(1, UUID.class));
            }
        }
        return ids;
    }

    private static void assertInOrder(Topic topic) {
        Map<String, Integer> last = new HashMap<>();
        topic.records().forEach(record -> {
            int n = Integer.parseInt(record.value().replaceAll("[^0-9]", ""));
            int before = last.getOrDefault(record.key(), -1);
            assertThat(n).as("order of key " + record.key()).isEqualTo(before + 1);
            last.put(record.key(), n);
        });
    }
}
