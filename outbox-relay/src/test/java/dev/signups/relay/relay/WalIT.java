package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalStack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An idle outbox holds no log back, whatever others write. */
class WalIT {

    private static final long LIMIT = 64L << 20;

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void logOfOthersIsGivenFree(Reader reader) {
        try (TestRelay relay =
                TestRelay.of(outbox, kafka).reader(reader).start().awaitReady()) {
            outbox.asOwner("create table other(t text)");
            outbox.asOwner("insert into other select repeat(md5(i::text), 30) from generate_series(1, 20000) i");
            emit(outbox.database(), 40);
            emit("postgres", 60);
            assertThat(retained()).as("premise").isGreaterThan(LIMIT);
            assertGivenFree(relay);
        }
    }

    @Test
    @Tag("long")
    void halfAGigabyteOfOthersIsGivenFree() {
        try (TestRelay relay = TestRelay.start(outbox, kafka).awaitReady()) {
            outbox.asOwner("create table other(t text)");
            outbox.asOwner("insert into other select repeat(md5(i::text), 30) from generate_series(1, 250000) i");
            String elsewhere = LocalStack.postgres().createDatabase("email");
            LocalStack.postgres().execute(elsewhere, "create table other(t text)");
            LocalStack.postgres()
                    .execute(
                            elsewhere,
                            "insert into other select repeat(md5(i::text), 30) from generate_series(1, 250000) i");
            assertGivenFree(relay);
        }
    }

    private void assertGivenFree(TestRelay relay) {
        long written = System.nanoTime();
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    // where the log may begin follows a checkpoint
                    outbox.asSuperuser("checkpoint");
                    return retained() < LIMIT;
                });
        System.out.printf("retained below 64 MB after ms=%d%n", (System.nanoTime() - written) / 1_000_000);
        assertThat(relay.isReady()).isTrue();
        await().atMost(Duration.ofSeconds(5))
                .until(() ->
                        relay.status().slot() != null && relay.status().slot().retainedBytes() < LIMIT);
        // the first record of the business topic is the row that follows: nothing of the above came before it
        UUID id = outbox.insert("k").getFirst();
        try (Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            assertThat(topic.await(1).ids()).containsExactly(id);
        }
    }

    private static void emit(String database, int megabytes) {
        LocalStack.postgres()
                .execute(
                        database,
                        "select count(pg_logical_emit_message(false, 'test', repeat('x', 1000000)))"
                                + " from generate_series(1, " + megabytes + ")");
    }

    private long retained() {
        return Long.parseLong(outbox.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint from"
                + " pg_replication_slots where slot_name = '" + outbox.slot() + "'"));
    }
}
