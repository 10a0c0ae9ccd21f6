package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is lost and a standby that keeps the slot in step is promoted. */
class FailoverIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final String kafka = LocalStack.kafka().bootstrapServers();

    @Test
    void publishingGoesOnAtThePromotedStandby() throws IOException {
        try (LocalPostgres primary = LocalPostgres.start(
                folder.resolve("primary"), 0, "synchronized_standby_slots=standby", "wal_sender_timeout=5s")) {
            primary.execute("postgres", "select pg_create_physical_replication_slot('standby', true)");
            Outbox outbox = Outbox.create(primary);
            try (LocalPostgres standby = standbyOf(primary)) {
                loseThePrimary(outbox, primary, standby);
            }
        }
    }

    private void loseThePrimary(Outbox outbox, LocalPostgres primary, LocalPostgres standby) {
        List<UUID> ids = new ArrayList<>();
        try (Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            try (var _ = TestRelay.of(outbox, kafka).failover().start().awaitReady()) {
                ids.addAll(insert(outbox, 100));
                topic.await(100);
                await("the standby keeps the slot")
                        .atMost(PATIENCE)
                        .until(() -> "1".equals(standby.query("postgres", """
                                select count(*) from pg_replication_slots
                                where slot_name = '%s' and synced and not temporary and confirmed_flush_lsn is not null""".formatted(outbox.slot()))));
                ids.addAll(insert(outbox, 100));
                topic.await(200);
                String end = outbox.query("select pg_current_wal_lsn()");
                await("the standby has it all")
                        .atMost(PATIENCE)
                        .until(() -> "t"
                                .equals(standby.query("postgres", "select pg_last_wal_replay_lsn() >= '" + end + "'")));
                primary.kill();
            }
            assertThat(standby.query("postgres", "select pg_promote(true, 60)")).isEqualTo("t");
            Outbox promoted = outbox.at(standby);
            try (TestRelay relay =
                    TestRelay.of(promoted, kafka).failover().start().awaitReady()) {
                ids.addAll(insert(promoted, 100));
                topic.await(300);
                assertThat(topic.ids()).containsExactlyElementsOf(ids);
                assertThat(relay.recoveries())
                        .as("the slot went on, nothing was compared")
                        .isZero();
            }
        }
    }

    private static List<UUID> insert(Outbox outbox, int rows) {
        return Stream.generate(() -> outbox.insert("k"))
                .limit(rows)
                .flatMap(List::stream)
                .toList();
    }

    private LocalPostgres standbyOf(LocalPostgres primary) throws IOException {
        Path data = folder.resolve("standby");
        primary.stop(LocalPostgres.StopMode.FAST);
        copy(folder.resolve("primary"), data);
        primary.start();
        Files.createFile(data.resolve("standby.signal"));
        return LocalPostgres.start(
                data,
                0,
                "primary_conninfo=host=127.0.0.1 port=" + primary.port() + " user=postgres dbname=postgres",
                "primary_slot_name=standby",
                "hot_standby_feedback=on",
                "sync_replication_slots=on");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
