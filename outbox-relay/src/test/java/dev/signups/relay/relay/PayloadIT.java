package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.Stack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a row is, so is its record, and nothing but an insert makes one. */
@Tag("contract")
class PayloadIT {

    private final String kafka = Stack.current().kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(Stack.current().postgres());

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void payloadArrivesByteForByte(Reader reader) {
        List<String> payloads = List.of(
                "{\"a\":null,\"b\":[],\"c\":[1,\"x\",{\"y\":[]}],\"n\":12345678901234567890.10,\"s\":\"é\\u0000\"}",
                "\"text\"",
                "17",
                "null",
                "  { \"b\" : 1,\n\t\"a\": 1, \"a\": 2 } ",
                "{\"emoji\":\"😀\",\"quote\":\"it's \\\"so\\\" \\\\\"}",
                "{}",
                "\"\"",
                "{\"wide\":\"" + "é".repeat(20_000) + "\"}");
        // one set is found by comparison at the first start, one comes through the log
        payloads.forEach(payload -> outbox.insertEvent("user", "k", payload));
        try (var _ = TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Topic topic = topic()) {
            payloads.forEach(payload -> outbox.insertEvent("user", "k", payload));
            topic.await(2 * payloads.size());
            List<String> values =
                    topic.records().stream().map(ConsumerRecord::value).toList();
            assertThat(values.subList(0, payloads.size())).isEqualTo(payloads);
            assertThat(values.subList(payloads.size(), values.size())).isEqualTo(payloads);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void timeIsTheSameInstantWhateverTheZones(Reader reader) throws Exception {
        TimeZone zone = TimeZone.getDefault();
        outbox.asSuperuser("alter database " + outbox.database() + " set timezone = 'Asia/Kathmandu'");
        String topicName = outbox.database() + ".event.user";
        try (KafkaAdmin admin = new KafkaAdmin(kafka)) {
            admin.create(topicName, 1);
            // a record's time is its row's: retention must not take it away under the test
            admin.set(topicName, "retention.ms", "-1");
        }
        TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
        try (Connection connection = outbox.connect();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into outbox(id, aggregatetype, aggregateid, type, payload, traceparent, created_at)
                        values (?, 'user', 'k', 'UserSignedUp', '{}', ?, '2026-01-02T03:04:05.678+09')""")) {
            String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            insert.setObject(1, UUID.randomUUID());
            insert.setString(2, trace);
            insert.executeUpdate();
            try (var _ = TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                    Topic topic = topic()) {
                UUID id = UUID.randomUUID();
                insert.setObject(1, id);
                insert.executeUpdate();
                assertThat(topic.await(2).records()).hasSize(2).allSatisfy(record -> {
                    assertThat(record.timestamp()).isEqualTo(1767290645678L);
                    assertThat(Topic.header(record, "ce_time")).isEqualTo("2026-01-01T18:04:05.678Z");
                    assertThat(Topic.header(record, "traceparent")).isEqualTo(trace);
                    assertThat(Topic.header(record, "ce_specversion")).isEqualTo("1.0");
                    assertThat(Topic.header(record, "ce_type")).isEqualTo("UserSignedUp");
                    assertThat(Topic.header(record, "ce_source")).isEqualTo("/signup-service");
                    assertThat(Topic.header(record, "content-type")).isEqualTo("application/json");
                    assertThat(Topic.header(record, "ce_id")).isEqualTo(Topic.header(record, "id"));
                });
                assertThat(topic.ids().getLast()).isEqualTo(id);
            }
        } finally {
            TimeZone.setDefault(zone);
        }
    }

    /** Not even where the publication sends them. */
    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void laterChangesOfRowsMakeNoEvent(Reader reader) {
        outbox.asOwner("alter publication outbox set (publish = 'insert, update, delete, truncate')");
        try (TestRelay relay =
                        TestRelay.of(outbox, kafka).reader(reader).start().awaitReady();
                Topic topic = topic()) {
            outbox.insertMany(50);
            topic.await(50);
            outbox.asOwner("update outbox set type = 'Changed', payload = '{}'");
            outbox.asOwner("delete from outbox where aggregateid < '5'");
            outbox.asOwner("truncate outbox");
            UUID after = outbox.insert("k").getFirst();
            topic.await(51);
            assertThat(topic.records()).hasSize(51).allSatisfy(record -> {
                assertThat(record.value()).isNotNull();
                assertThat(Topic.header(record, "ce_type")).isEqualTo("UserSignedUp");
            });
            assertThat(topic.ids()).contains(after);
            assertThat(relay.status().deadLettered()).isZero();
            assertThat(relay.isReady()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void partitionedOutboxIsPublishedByItsRoot(Reader reader) {
        Outbox partitioned = Outbox.create(
                Stack.current().postgres(),
                Outbox.TABLE.replace("id uuid primary key", "id uuid") + " partition by range (created_at)");
        partitioned.asOwner(
                "create table outbox_now partition of outbox for values from ('2020-01-01') to ('2100-01-01')");
        List<UUID> before = partitioned.insert("k");
        try (var _ = TestRelay.of(partitioned, kafka).reader(reader).start().awaitReady();
                Topic topic = new Topic(kafka, partitioned.database() + ".event.user")) {
            UUID first = partitioned.insert("k").getFirst();
            partitioned.asOwner(
                    "create table outbox_later partition of outbox for values from ('2010-01-01') to ('2020-01-01')");
            UUID later = UUID.randomUUID();
            partitioned.asOwner("insert into outbox values ('" + later
                    + "', 'user', 'k', 'UserSignedUp', '{}', null, '2015-01-01')");
            partitioned.asOwner("drop table outbox_later");
            UUID last = partitioned.insert("k").getFirst();
            assertThat(topic.await(4).ids()).containsExactly(before.getFirst(), first, later, last);
        }
    }

    @Test
    void anEmptyTransactionAndOtherTablesMakeNothing() {
        outbox.asOwner("create table other(id int)");
        try (TestRelay relay = TestRelay.start(outbox, kafka).awaitReady();
                Topic topic = topic()) {
            outbox.asOwner("insert into other select generate_series(1, 1000)");
            UUID only = outbox.insert("k").getFirst();
            assertThat(topic.await(1).ids()).containsExactly(only);
            assertThat(relay.isReady()).isTrue();
        }
    }

    private Topic topic() {
        return new Topic(kafka, outbox.database() + ".event.user");
    }
}
