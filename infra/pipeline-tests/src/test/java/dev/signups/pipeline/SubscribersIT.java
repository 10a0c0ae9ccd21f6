package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Others read the same events, whatever the e-mail group does. */
class SubscribersIT {

    private static final String TOPIC = "outbox.event.user";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static RunningPipeline pipeline;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        pipeline = RunningPipeline.get();
    }

    @Test
    void javaSubscriberReadsEveryEventFromTheBeginningAndLive() throws Exception {
        Set<String> users = signUp(20);
        abortATransaction();
        Queue<ConsumerRecord<String, String>> read = new ConcurrentLinkedQueue<>();
        try (var _ = new SignupSubscriber(pipeline.bootstrapServers(), "java-subscriber", TOPIC, read::add)) {
            awaitUsers(users, read, ConsumerRecord::key);
            users.addAll(signUp(5));
            awaitUsers(users, read, ConsumerRecord::key);
        }
        assertThat(read).allSatisfy(SubscribersIT::satisfiesTheContract);
        assertThat(read).extracting(ConsumerRecord::key).doesNotHaveDuplicates().doesNotContain("ghost");
        isReadToTheEnd("java-subscriber");
        // the e-mail group has read the same, at its own pace
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(pipeline.sends().path("acceptedUnique").asInt())
                                .isEqualTo(read.size()));
        assertThat(pipeline.sends().path("duplicates").asInt()).isZero();
        isReadToTheEnd("email-consumer");
    }

    @Test
    void nodeSubscriberReadsEveryEventFromTheBeginningAndLive() throws Exception {
        assumeThat(isThere("node") && isThere("npm"))
                .as("Node.js and npm on the PATH")
                .isTrue();
        for (String file : List.of("package.json", "package-lock.json", "subscriber.js")) {
            Files.copy(Contract.FOLDER.resolve("subscribers/node").resolve(file), folder.resolve(file));
        }
        assumeThat(runs("npm", "ci", "--no-audit", "--no-fund"))
                .as("npm reaches its registry")
                .isTrue();
        Set<String> users = signUp(20);
        abortATransaction();
        Queue<JsonNode> read = new ConcurrentLinkedQueue<>();
        ProcessBuilder builder = new ProcessBuilder("node", "subscriber.js")
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment()
                .putAll(Map.of("KAFKA_BOOTSTRAP_SERVERS", pipeline.bootstrapServers(), "GROUP", "node-subscriber"));
        Process subscriber = builder.start();
        try {
            Thread.ofVirtual()
                    .start(() -> subscriber
                            .inputReader()
                            .lines()
                            .forEach(line -> read.add(JsonMapper.shared().readTree(line))));
            awaitUsers(users, read, event -> event.path("key").asString());
            users.addAll(signUp(5));
            awaitUsers(users, read, event -> event.path("key").asString());
        } finally {
            subscriber.destroy();
            assertThat(subscriber.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        JsonNode schema = Contract.json("released/UserSignedUp.v1.schema.json");
        assertThat(read).allSatisfy(event -> {
            assertThat(event.path("type").asString()).isEqualTo("UserSignedUp");
            assertThat(Contract.flaws(schema, event.path("event"))).isEmpty();
        });
        assertThat(read)
                .extracting(event -> event.path("key").asString())
                .doesNotHaveDuplicates()
                .doesNotContain("ghost");
        // its lag is not looked at: this client commits what it was given, and a transaction's end marker takes an
        // offset
    }

    @Test
    void anotherAggregateAndEventTypeNeedOnlyARow() throws Exception {
        String id = UUID.randomUUID().toString();
        Queue<ConsumerRecord<String, String>> read = new ConcurrentLinkedQueue<>();
        pipeline.execute("insert into outbox(id, aggregatetype, aggregateid, type, payload) values ('" + id
                + "', 'invoice', 'invoice-17', 'InvoiceRaised', '{\"total\": \"12.50\"}')");
        try (var _ = new SignupSubscriber(
                pipeline.bootstrapServers(), "invoice-subscriber", "outbox.event.invoice", read::add)) {
            await().atMost(PATIENCE).until(() -> !read.isEmpty());
        }
        ConsumerRecord<String, String> event = read.element();
        assertThat(event.key()).isEqualTo("invoice-17");
        assertThat(event.value()).isEqualTo("{\"total\": \"12.50\"}");
        assertThat(headers(event)).containsEntry("ce_type", "InvoiceRaised").containsEntry("id", id);
    }

    private static Set<String> signUp(int count) {
        Set<String> users = new HashSet<>();
        for (int i = 0; i < count; i++) {
            users.add(pipeline.signUp(UUID.randomUUID() + "@example.com"));
        }
        return users;
    }

    /** What a relay leaves behind that dies in the middle of its work. */
    private static void abortATransaction() {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", pipeline.bootstrapServers(), "transactional.id", "ghost"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, "ghost", "{}"));
            producer.flush();
            producer.abortTransaction();
        }
    }

    private static void satisfiesTheContract(ConsumerRecord<String, String> event) {
        JsonNode value = JsonMapper.shared().readTree(event.value());
        assertThat(Contract.flaws(Contract.json("released/UserSignedUp.v1.schema.json"), value))
                .isEmpty();
        assertThat(value.path("userId").asString()).isEqualTo(event.key());
        ObjectNode headers = JsonMapper.shared().createObjectNode();
        headers(event).forEach(headers::put);
        JsonNode documented =
                Contract.yaml(Contract.FOLDER.resolve("asyncapi.yaml")).at("/components/schemas/Headers");
        assertThat(Contract.flaws(documented, headers)).isEmpty();
        assertThat(documented.path("properties").propertyNames()).containsAll(headers.propertyNames());
        assertThat(headers.path("ce_id")).isEqualTo(headers.path("id"));
    }

    private static Map<String, String> headers(ConsumerRecord<String, String> event) {
        Map<String, String> headers = new HashMap<>();
        event.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    private static <T> void awaitUsers(Set<String> users, Queue<T> read, java.util.function.Function<T, String> key) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(read.stream().map(key).toList()).containsAll(users));
    }

    /** The stock tool's columns: group, topic, partition, committed offset, end, lag. */
    private static void isReadToTheEnd(String group) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(pipeline.describeGroup(group))
                        .hasSize(12)
                        .allSatisfy(line -> assertThat(line.split(" ")[5]).isEqualTo("0")));
    }

    private boolean runs(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    static boolean isThere(String program) {
        return List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
