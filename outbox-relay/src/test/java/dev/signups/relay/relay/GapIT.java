package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalStack;
import dev.signups.relay.engine.EngineProperties.Reader;
import dev.signups.relay.recovery.GapRecovery.OlderRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log no longer continues where publishing ended: what is missing is published once, or the relay says why not. */
class GapIT {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());
    private final List<UUID> ids = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void slotDroppedWhileAway(Reader reader) {
        TestRelay.Settings settings = TestRelay.of(outbox, kafka).reader(reader);
        publish(settings);
        outbox.asSuperuser("select pg_drop_replication_slot('" + outbox.slot() + "')");
        for (int i = 0; i < 10; i++) {
            ids.addAll(outbox.insert("k"));
        }
        assertAllOnce(settings);
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void slotDroppedWhileItRuns(Reader reader) {
        try (TestRelay relay =
                TestRelay.of(outbox, kafka).reader(reader).start().awaitReady()) {
            ids.addAll(outbox.insert("k", "k"));
            topic(2);
            // both at once, before the relay can take the slot again
            outbox.asSuperuser("do $$ declare p int; begin select active_pid into p from pg_replication_slots"
                    + " where slot_name = '" + outbox.slot() + "'; perform pg_terminate_backend(p, 5000);"
                    + " perform pg_drop_replication_slot('" + outbox.slot() + "'); end $$");
            ids.addAll(outbox.insert("k"));
            topic(3);
            relay.awaitReady(Duration.ofSeconds(20));
            ids.addAll(outbox.insert("k"));
            assertThat(topic(4)).containsExactlyElementsOf(ids);
        }
    }

    @Test
    void slotAdvancedBySomebodyElse() {
        publish(TestRelay.of(outbox, kafka));
        ids.addAll(outbox.insert("k", "k", "k"));
        outbox.asSuperuser("select pg_replication_slot_advance('" + outbox.slot() + "', pg_current_wal_lsn())");
        assertAllOnce(TestRelay.of(outbox, kafka));
    }

    @Test
    void slotMadeAnewBySomebodyElse() {
        publish(TestRelay.of(outbox, kafka));
        ids.addAll(outbox.insert("k"));
        outbox.asSuperuser("select pg_drop_replication_slot('" + outbox.slot() + "')");
        outbox.asSuperuser("select pg_create_logical_replication_slot('" + outbox.slot() + "', 'pgoutput')");
        ids.addAll(outbox.insert("k"));
        assertAllOnce(TestRelay.of(outbox, kafka));
    }

    @Test
    void rowsThatWereThereBeforeTheFirstStartAndThePositionLost() {
        outbox.insertMany(2520);
        try (var _ = TestRelay.start(outbox, kafka)) {
            assertThat(topic(2520)).hasSize(2520).doesNotHaveDuplicates();
        }
        try (KafkaAdmin admin = new KafkaAdmin(kafka)) {
            admin.delete(outbox.database() + ".position");
        }
        ids.addAll(outbox.insert("k", "k"));
        try (var _ = TestRelay.start(outbox, kafka).awaitReady()) {
            ids.addAll(outbox.insert("k"));
            assertThat(topic(2523)).hasSize(2523).doesNotHaveDuplicates().containsAll(ids);
        }
    }

    /** Whether rows older than the topic's records were published cannot be known. */
    @Test
    void topicThatRetentionHasCutIsNoEvidence() {
        publish(TestRelay.of(outbox, kafka));
        try (KafkaAdmin admin = new KafkaAdmin(kafka)) {
            admin.empty(outbox.database() + ".event.user");
        }
        outbox.asSuperuser("select pg_drop_replication_slot('" + outbox.slot() + "')");
        try (TestRelay relay = TestRelay.start(outbox, kafka)) {
            relay.awaitNotReady(Duration.ofSeconds(20), "relay.recovery", "publish", "skip");
            assertThat(topic(0)).isEmpty();
        }
        try (var _ =
                TestRelay.of(outbox, kafka).recovery(OlderRows.SKIP).start().awaitReady()) {
            UUID after = outbox.insert("k").getFirst();
            assertThat(topic(1)).containsExactly(after);
        }
        try (KafkaAdmin admin = new KafkaAdmin(kafka)) {
            admin.empty(outbox.database() + ".event.user");
        }
        outbox.asSuperuser("select pg_drop_replication_slot('" + outbox.slot() + "')");
        try (var _ = TestRelay.of(outbox, kafka).recovery(OlderRows.PUBLISH).start()) {
            assertThat(topic(4)).hasSize(4).doesNotHaveDuplicates().containsAll(ids);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void publicationDroppedWhileItRuns(Reader reader) {
        try (TestRelay relay =
                TestRelay.of(outbox, kafka).reader(reader).start().awaitReady()) {
            ids.addAll(outbox.insert("k"));
            topic(1);
            outbox.asOwner("drop publication outbox");
            ids.addAll(outbox.insert("k", "k"));
            relay.awaitNotReady(SOON, "publication outbox does not exist", "create publication outbox");
            outbox.createPublication();
            ids.addAll(outbox.insert("k"));
            relay.awaitReady(Duration.ofSeconds(30));
            ids.addAll(outbox.insert("k"));
            assertThat(topic(5)).containsExactlyElementsOf(ids);
        }
    }

    /** Gone and back between two looks of the relay. */
    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void publicationReplacedInAMomentWhileItRuns(Reader reader) {
        try (TestRelay relay =
                TestRelay.of(outbox, kafka).reader(reader).start().awaitReady()) {
            ids.addAll(outbox.insert("k"));
            topic(1);
            outbox.asOwner("drop publication outbox");
            ids.addAll(outbox.insert("k"));
            outbox.createPublication();
            ids.addAll(outbox.insert("k"));
            assertThat(topic(3)).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ids);
            relay.awaitReady(Duration.ofSeconds(30));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "drop publication outbox; %s; create publication outbox for table outbox with (publish = 'insert', publish_via_partition_root = true)",
                "alter publication outbox set table outbox where (aggregateid = 'x'); %s; alter publication outbox set table outbox",
                "alter publication outbox set (publish = 'delete'); %s; alter publication outbox set (publish = 'insert')"
            })
    void publicationAlteredAndMendedWhileAway(String statements) {
        publish(TestRelay.of(outbox, kafka));
        UUID hidden = UUID.randomUUID();
        String insert = "insert into outbox(id, aggregatetype, aggregateid, type, payload) values ('" + hidden
                + "', 'user', 'k', 'UserSignedUp', '{}')";
        for (String statement : String.format(statements, insert).split(";")) {
            outbox.asOwner(statement);
        }
        ids.add(hidden);
        ids.addAll(outbox.insert("k"));
        assertAllOnce(TestRelay.of(outbox, kafka));
    }

    @Test
    void publicationThatNoLongerSendsInsertsIsNamed() {
        try (TestRelay relay = TestRelay.start(outbox, kafka).awaitReady()) {
            outbox.asOwner("alter publication outbox set (publish = 'update, delete')");
            ids.addAll(outbox.insert("k"));
            relay.awaitNotReady(SOON, "does not publish inserts", "alter publication outbox set (publish = 'insert'");
            outbox.asOwner("alter publication outbox set (publish = 'insert')");
            relay.awaitReady(Duration.ofSeconds(30));
            assertThat(topic(1)).containsExactlyElementsOf(ids);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void columnsThatComeAndGoChangeNothing(Reader reader) {
        TestRelay.Settings settings = TestRelay.of(outbox, kafka).reader(reader);
        try (var _ = settings.start().awaitReady()) {
            ids.addAll(outbox.insert("k"));
            outbox.asOwner("alter table outbox add column more text default 'x'");
            ids.addAll(outbox.insert("k"));
            topic(2);
        }
        ids.addAll(outbox.insert("k"));
        outbox.asOwner("alter table outbox drop column more, alter column payload set storage external");
        outbox.asOwner("alter table outbox add column again int, alter column aggregateid type varchar(100)");
        ids.addAll(outbox.insert("k"));
        assertAllOnce(settings);
    }

    /** Not a row is taken out of the log while the table is away, and none is lost when it is back. */
    @Test
    void grantOnTheTableRevokedIsNamed() {
        try (var _ = TestRelay.start(outbox, kafka).awaitReady()) {
            ids.addAll(outbox.insert("k"));
            topic(1);
        }
        outbox.asOwner("revoke select on outbox from relay");
        ids.addAll(outbox.insert("k"));
        try (TestRelay relay = TestRelay.start(outbox, kafka)) {
            await().atMost(SOON).until(relay::isFatal);
            assertThat(relay.status().reasonNotReady()).contains("grant select on public.outbox to relay");
        }
        outbox.asOwner("grant select on outbox to relay");
        assertAllOnce(TestRelay.of(outbox, kafka));
    }

    /** Three rows, and the slot has been told. */
    private void publish(TestRelay.Settings settings) {
        try (var _ = settings.start().awaitReady()) {
            ids.addAll(outbox.insert("k", "k"));
            ids.addAll(outbox.insert("k"));
            topic(3);
        }
    }

    private void assertAllOnce(TestRelay.Settings settings) {
        try (TestRelay relay = settings.start().awaitReady()) {
            ids.addAll(outbox.insert("k"));
            assertThat(topic(ids.size())).containsExactlyElementsOf(ids);
            assertThat(relay.isReady()).isTrue();
        }
    }

    private List<UUID> topic(int count) {
        try (Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            return topic.await(count).ids();
        }
    }
}
