package dev.signups.email.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.email.App;
import dev.signups.email.Setting;
import dev.signups.email.delivery.DeliveryId;
import dev.signups.email.delivery.NewDelivery;
import dev.signups.localstack.LocalKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What comes from Kafka, and what lag tools see of it: cases D5, D12, D13, D14. */
class InboxIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Setting setting = new Setting();

    @AfterEach
    void close() {
        setting.close();
    }

    /** A second e-mail: this mapping, and its templates under {@code emails/}. */
    static class PasswordChanged implements EventMapping {
        @Override
        public String eventType() {
            return "PasswordChanged";
        }

        @Override
        public NewDelivery read(tools.jackson.databind.JsonNode payload, String eventId, Instant eventTime)
                throws UnreadableEventException {
            return new NewDelivery(
                    new DeliveryId(Payload.identifier(payload, "userId"), "password_changed"),
                    Payload.address(payload, "email"),
                    Map.of("firstName", Payload.name(payload, "firstName")),
                    eventId,
                    eventTime);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void badRecordsHoldUpNobodyAndCanBeReadAgain() {
        App app = setting.start();
        setting.publish("k", "UserSignedUp", new byte[] {(byte) 0xFF});
        setting.publish("k", "UserSignedUp", bytes("{\"userId\":"));
        setting.publish("k", "UserSignedUp", bytes("{\"userId\":\"u-1\"}"));
        setting.publish("k", "SomethingElse", bytes("{}"));
        setting.publish("k", "UserSignedUp", null);
        setting.publish("k", "PasswordChanged", bytes("{\"userId\":\"u-2\",\"email\":\"u-2@example.com\"}"));
        setting.signUp("good", "good@example.com");
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 1);
        JsonNode bad = app.operator.get("/api/bad-records");
        assertThat(bad).hasSize(4);
        assertThat(bad.valueStream().map(one -> one.path("reason").asString()))
                .containsExactlyInAnyOrder("not JSON", "not JSON", "field 'email' is missing", "no value");
        assertThat(bad.get(0).path("topic").asString()).isEqualTo(setting.topic);
        await().atMost(PATIENCE)
                .until(() -> app.operator.queue().path("badRecords").asInt() == 4);
        await().atMost(PATIENCE).until(() -> setting.lag() == 0);
        balances(app);
        assertThat(app.operator.metric("email_events_total{result=\"skipped\"}"))
                .isEqualTo(2);
        assertThat(app.operator.metric("email_bad_records_total")).isEqualTo(4);

        // "the fix": whoever filled in the address did so in the database, in lieu of a new version
        setting.execute("update bad_record set value = convert_to('{\"userId\":\"u-1\",\"email\":\"u-1@example.com\"}',"
                + " 'UTF8') where reason = 'field ''email'' is missing'");
        int done = 0;
        for (JsonNode one : bad) {
            int status = app.operator.post("/api/bad-records/%s/%d/%d/retry"
                    .formatted(
                            one.path("topic").asString(),
                            one.path("partition").asInt(),
                            one.path("offset").asLong()));
            assertThat(status).isIn(202, 409);
            done += status == 202 ? 1 : 0;
        }
        assertThat(done).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 2);
        assertThat(app.operator.get("/api/bad-records")).hasSize(3);
    }

    private static void balances(App app) {
        assertThat(app.operator.metric("email_events_consumed_total"))
                .isEqualTo(app.operator.metric("email_events_total{result=\"inserted\"}")
                        + app.operator.metric("email_events_total{result=\"duplicate\"}")
                        + app.operator.metric("email_events_total{result=\"bad\"}")
                        + app.operator.metric("email_events_total{result=\"skipped\"}"))
                .isPositive();
    }

    @Test
    void anotherEmailIsOneMappingAndItsTemplates() {
        App app = setting.start(PasswordChanged.class);
        setting.signUp("u-1", "u-1@example.com");
        setting.publish(
                "u-1",
                "PasswordChanged",
                bytes("{\"userId\":\"u-1\",\"email\":\"u-1@example.com\",\"firstName\":\"Grace\"}"));
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 2);
        assertThat(app.operator
                        .get("/api/emails/u-1/password_changed")
                        .path("status")
                        .asString())
                .isEqualTo("SENT");
        assertThat(setting.provider.calls())
                .extracting(call -> call.subject())
                .containsExactlyInAnyOrder("Welcome, Grace!", "Your password was changed");
    }

    @Test
    void strangeNamesAndAddressesAreDeliveredAndShownSafely() {
        App app = setting.start();
        setting.publish("k", "UserSignedUp", bytes("""
                {"userId":"script","email":"\\"o'quoted\\"@example.com","firstName":"<script>alert(1)</script>","lastName":"x"}"""));
        setting.publish("k", "UserSignedUp", bytes("""
                {"userId":"crlf","email":"plus+tag@bücher.example","firstName":"Eve\\r\\nBcc: all@example.com","lastName":"😀\\u202Eabc"}"""));
        setting.publish(
                "k",
                "UserSignedUp",
                bytes("{\"userId\":\"long\",\"email\":\"long@example.com\",\"firstName\":\"%s\"}"
                        .formatted("é".repeat(10_000))));
        setting.publish(
                "k",
                "UserSignedUp",
                bytes("{\"userId\":\"inject\",\"email\":\"a@example.com\\r\\nBcc: b@example.com\"}"));
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 3);
        await().atMost(PATIENCE)
                .until(() -> app.operator.get("/api/bad-records").size() == 1);
        assertThat(app.operator.get("/api/bad-records").get(0).path("reason").asString())
                .isEqualTo("field 'email' is not an address");
        assertThat(setting.provider.calls()).allSatisfy(call -> {
            assertThat(call.subject()).doesNotContain("\n").doesNotContain("\r").hasSizeLessThan(130);
            assertThat(call.html()).doesNotContain("<script>");
        });
        assertThat(setting.provider.calls())
                .extracting(call -> call.to())
                .containsExactlyInAnyOrder("\"o'quoted\"@example.com", "plus+tag@bücher.example", "long@example.com");
    }

    @Test
    void lagIsSeenByTheStockToolAndAgeGrows() throws Exception {
        App app = setting.start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stockTool())
                        .as("a fresh group has committed its start")
                        .contains(" " + setting.topic + " 0 0 0 0 "));
        assertThat(app.operator.metric("email_queue_depth")).isZero();
        assertThat(app.operator.metric("email_inbox_lag")).isZero();
        assertThat(app.operator.post("/api/emails/pause")).isEqualTo(204);
        await().atMost(PATIENCE).until(() -> app.operator.readiness().body().contains("\"intakePaused\":true"));
        setting.signUp(0, 1000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stockToolLag()).isEqualTo(1000));
        await().atMost(PATIENCE).until(() -> app.operator.queue().path("depth").asLong() == 1000);
        double age = app.operator.metric("email_oldest_pending_age_seconds");
        long start = System.nanoTime();
        await().atMost(PATIENCE).until(() -> app.operator.metric("email_oldest_pending_age_seconds") > age + 2);
        double passed = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
        assertThat(app.operator.metric("email_oldest_pending_age_seconds"))
                .isBetween(age + passed - 0.5, age + passed + 1);
        assertThat(app.operator.queue().path("paused").asBoolean()).isTrue();
        assertThat(setting.provider.requests()).isZero();
        app.close();

        App second = setting.start();
        await().atMost(PATIENCE)
                .until(() -> second.operator.queue().path("paused").asBoolean());
        assertThat(second.operator.queue().path("depth").asLong()).isEqualTo(1000);
        assertThat(setting.provider.requests()).isZero();
        second.operator.post("/api/emails/resume");
        await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 1000);
        await().atMost(PATIENCE).until(() -> stockToolLag() == 0);
        await().atMost(PATIENCE)
                .until(() -> second.operator.queue().path("depth").asLong() == 0);
        balances(second);
    }

    private long stockToolLag() throws IOException {
        return stockTool()
                .lines()
                .filter(line -> line.contains(setting.topic))
                .mapToLong(line -> Long.parseLong(line.trim().split(" ")[5]))
                .sum();
    }

    private String stockTool() throws IOException {
        Process tool = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        LocalKafka.classPath(),
                        "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
                        "--bootstrap-server",
                        setting.kafka.bootstrapServers(),
                        "--describe",
                        "--group",
                        setting.group)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceAll(" +", " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void readsOnlyWhatIsCommittedAndLeavesNoLag(String protocol) {
        setting.with("inbox.group-protocol", protocol);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", setting.kafka.bootstrapServers(), "transactional.id", setting.topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            for (boolean commit : List.of(true, false, true, false)) {
                producer.beginTransaction();
                for (int i = 0; i < 12; i++) {
                    String user = (commit ? "committed-" : "aborted-") + i;
                    producer.send(Setting.event(
                            setting.topic,
                            user,
                            "UserSignedUp",
                            bytes("{\"userId\":\"%s\",\"email\":\"%s@example.com\"}".formatted(user, user))));
                }
                if (commit) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
            App app = setting.start();
            await().atMost(PATIENCE).until(() -> setting.count("status = 'SENT'") == 12);
            await().atMost(PATIENCE)
                    .until(() -> app.operator.queue().path("depth").asLong() == 0);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(setting.lag()).isZero());
            assertThat(setting.provider.requests()).isEqualTo(12);
            app.close();
            // and after a restart, with nothing new but an end marker
            producer.beginTransaction();
            producer.send(Setting.event(setting.topic, "x", "Ignored", bytes("{}")));
            producer.flush();
            producer.abortTransaction();
            App again = setting.start();
            await().atMost(PATIENCE)
                    .until(() -> again.operator.queue().path("depth").asLong() == 0);
        }
    }
}
