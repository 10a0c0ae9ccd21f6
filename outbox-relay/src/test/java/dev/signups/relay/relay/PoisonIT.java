package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalStack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A row that cannot be published becomes a dead letter; all others go on, in order. */
class PoisonIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void oversizeRowBecomesADeadLetterAndItsNeighboursArrive(Reader reader) throws Exception {
        TestRelay.Settings settings = TestRelay.of(outbox, kafka).reader(reader);
        UUID large;
        UUID first;
        UUID last;
        try (TestRelay relay = settings.start().awaitReady();
                Topic topic = topic("user");
                Topic dead = deadLetters()) {
            try (Connection connection = outbox.connect()) {
                connection.setAutoCommit(false);
                first = Outbox.insert(connection, "user", "a", json(1000));
                large = Outbox.insert(connection, "user", "b", json(5_000_000));
                last = Outbox.insert(connection, "user", "a", json(1000));
                connection.commit();
            }
            UUID after = outbox.insert("b").getFirst();
            assertThat(topic.await(3).ids()).containsExactlyInAnyOrder(first, last, after);
            assertThat(ofKey(topic, "a")).containsExactly(first, last);
            ConsumerRecord<String, String> letter = dead.await(1).records().getFirst();
            assertThat(letter.key()).isEqualTo(large.toString());
            assertThat(letter.value())
                    .contains(large.toString())
                    .containsPattern("\"sizeBytes\":50\\d{5}")
                    .containsPattern("\"reason\":\"larger than \\d+ bytes\"")
                    .doesNotContain("xxxx")
                    .hasSizeLessThan(500);
            assertThat(relay.status().deadLettered()).isEqualTo(1);
            assertThat(relay.isReady()).isTrue();
            assertThat(outbox.query("select count(*) from outbox where id = '" + large + "'"))
                    .as("stays in the outbox")
                    .isEqualTo("1");
        }
        try (var _ = settings.start().awaitReady();
                Topic dead = deadLetters()) {
            UUID later = outbox.insert("c").getFirst();
            try (Topic topic = topic("user")) {
                assertThat(topic.await(4).ids()).hasSize(4).contains(later);
            }
            assertThat(dead.await(1).records())
                    .as("dead letters after a restart")
                    .hasSize(1);
        }
    }

    @Test
    void illegalTopicsAndMissingColumnsBecomeDeadLetters() {
        try (TestRelay relay = TestRelay.of(outbox, kafka).start().awaitReady();
                Topic topic = topic("UserAccount");
                Topic dead = deadLetters()) {
            UUID camel = outbox.insertEvent("UserAccount", "k", "{\"n\":1}");
            List<UUID> refused = new ArrayList<>();
            refused.add(outbox.insertEvent("a b/é", "k", "{}"));
            refused.add(outbox.insertEvent("x".repeat(300), "k", "{}"));
            refused.add(outbox.insertEvent(null, "k", "{}"));
            refused.add(outbox.insertEvent("UserAccount", null, "{}"));
            refused.add(outbox.insertEvent("UserAccount", "k", null));
            refused.add(insertAt("1969-12-31T23:59:59Z"));
            // key and header are as unbounded as the payload
            refused.add(outbox.insertEvent("UserAccount", "k".repeat(2_000_000), "{}"));
            UUID after = outbox.insertEvent("UserAccount", "k", "{\"n\":2}");
            assertThat(topic.await(2).ids()).containsExactly(camel, after);
            dead.await(refused.size());
            assertThat(dead.records().stream().map(ConsumerRecord::key))
                    .containsExactlyElementsOf(
                            refused.stream().map(UUID::toString).toList());
            assertThat(dead.records())
                    .allSatisfy(letter ->
                            assertThat(letter.value()).contains("\"reason\":\"").hasSizeLessThan(500));
            assertThat(relay.isReady()).isTrue();
        }
    }

    /** PostgreSQL knows times that Java's milliseconds do not reach. */
    @ParameterizedTest
    @MethodSource("dev.signups.relay.relay.Readers#underTest")
    void timesBeyondWhatKafkaCanSayBecomeDeadLetters(Reader reader) {
        try (var _ = TestRelay.of(outbox, kafka).reader(reader).start().awaitReady()) {
            assertImpossibleTimesAreRefused(this::insertImpossibleTimes);
        }
    }

    /** Those found by comparison take another way than those in the log. */
    @Test
    void timesBeyondWhatKafkaCanSayBecomeDeadLettersAtTheFirstStartToo() {
        List<UUID> refused = insertImpossibleTimes();
        try (var _ = TestRelay.start(outbox, kafka)) {
            assertImpossibleTimesAreRefused(() -> refused);
        }
    }

    private void assertImpossibleTimesAreRefused(Supplier<List<UUID>> rows) {
        try (Topic topic = topic("UserAccount");
                Topic dead = deadLetters()) {
            List<UUID> refused = rows.get();
            UUID after = outbox.insertEvent("UserAccount", "k", "{}");
            assertThat(topic.await(1, Duration.ofSeconds(20)).ids()).containsExactly(after);
            assertThat(dead.await(refused.size(), Duration.ofSeconds(5)).records().stream()
                            .map(ConsumerRecord::key))
                    .containsExactlyInAnyOrderElementsOf(
                            refused.stream().map(UUID::toString).toList());
        }
    }

    /** PostgreSQL knows times that Java's milliseconds do not reach, and the broker refuses those of the future. */
    private List<UUID> insertImpossibleTimes() {
        return List.of(
                insertAt("infinity"),
                insertAt("-infinity"),
                insertAt("4713-01-01 00:00:00+00 BC"),
                insertAt("294276-12-31 23:59:59+00"),
                insertAt("2100-01-01 00:00:00+00"));
    }

    /** Kafka takes `a.b` and `a_b` for the same name, because its metrics do. */
    @Test
    void topicThatTheBrokerRefusesToMakeBlocksNobody() {
        try (var _ = TestRelay.of(outbox, kafka).start().awaitReady();
                Topic topic = topic("user.account");
                Topic dead = deadLetters()) {
            UUID before = outbox.insertEvent("user.account", "k", "{}");
            topic.await(1);
            UUID refused = outbox.insertEvent("user_account", "k", "{}");
            UUID after = outbox.insertEvent("user.account", "k", "{}");
            assertThat(topic.await(2, Duration.ofSeconds(20)).ids()).containsExactly(before, after);
            assertThat(dead.await(1, Duration.ofSeconds(10)).records().stream().map(ConsumerRecord::key))
                    .containsExactly(refused.toString());
        }
    }

    @Test
    void rowThatOnlyTheBrokerRefusesIsFoundAmongItsNeighbours() throws Exception {
        try (TestRelay relay = TestRelay.of(outbox, kafka).start().awaitReady();
                KafkaAdmin admin = new KafkaAdmin(kafka);
                Topic topic = topic("user");
                Topic dead = deadLetters()) {
            outbox.insert("k");
            topic.await(1);
            // behind the relay's back, which has read the limit already
            admin.set(outbox.database() + ".event.user", "max.message.bytes", "4000");
            UUID first;
            UUID large;
            UUID last;
            try (Connection connection = outbox.connect()) {
                connection.setAutoCommit(false);
                first = Outbox.insert(connection, "user", "k", "{\"n\":1}");
                large = Outbox.insert(connection, "user", "k", incompressible(20_000));
                last = Outbox.insert(connection, "user", "k", "{\"n\":2}");
                connection.commit();
            }
            topic.await(3);
            assertThat(topic.ids().subList(1, 3)).containsExactly(first, last);
            assertThat(dead.await(1).records().stream().map(ConsumerRecord::key))
                    .containsExactly(large.toString());
            assertThat(relay.isReady()).isTrue();
        }
    }

    /** No second look at the topic's limits explains this refusal: only sending the suspects one by one does. */
    @Test
    void rowOfTheFutureIsFoundAmongItsNeighbours() throws SQLException {
        try (var _ = TestRelay.of(outbox, kafka).start().awaitReady();
                Topic topic = topic("UserAccount");
                Topic dead = deadLetters();
                Connection connection = outbox.connect()) {
            connection.setAutoCommit(false);
            UUID first = insertAt(connection, "now");
            UUID future = insertAt(connection, "2100-01-01 00:00:00+00");
            UUID last = insertAt(connection, "now");
            connection.commit();
            assertThat(topic.await(2, Duration.ofSeconds(20)).ids()).containsExactly(first, last);
            assertThat(dead.await(1).records().stream().map(ConsumerRecord::key))
                    .containsExactly(future.toString());
        }
    }

    private UUID insertAt(String createdAt) {
        try (Connection connection = outbox.connect()) {
            return insertAt(connection, createdAt);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static UUID insertAt(Connection connection, String createdAt) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into outbox(id, aggregatetype, aggregateid, type, payload, created_at)
                values (?, 'UserAccount', 'k', 'UserSignedUp', '{}', ?::timestamptz)""")) {
            statement.setObject(1, id);
            statement.setString(2, createdAt);
            statement.executeUpdate();
        }
        return id;
    }

    private static List<UUID> ofKey(Topic topic, String key) {
        return topic.records().stream()
                .filter(record -> record.key().equals(key))
                .map(Topic::id)
                .toList();
    }

    private static String json(int bytes) {
        return "{\"s\":\"" + "x".repeat(bytes - 8) + "\"}";
    }

    private static String incompressible(int bytes) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder("\"");
        while (text.length() < bytes) {
            text.append(Long.toString(random.nextLong(), 36));
        }
        return text.append('"').toString();
    }

    private Topic topic(String type) {
        return new Topic(kafka, outbox.database() + ".event." + type);
    }

    private Topic deadLetters() {
        return new Topic(kafka, outbox.database() + ".dead-letter");
    }
}
