package dev.signups.email;

import dev.signups.localstack.Kafka;
import dev.signups.localstack.Postgres;
import dev.signups.localstack.Stack;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic, a group, a database and a provider of a test's own, and the application on top of them. */
public final class Setting implements AutoCloseable {

    public static final String PASSWORD = "a test's password";

    public final Postgres postgres;
    public final Kafka kafka;
    public final String database;
    public final String topic;
    public final String group;
    public final TestProvider provider = TestProvider.start();
    public final Map<String, String> properties = new LinkedHashMap<>();
    private final List<AutoCloseable> started = new ArrayList<>();
    private final KafkaProducer<byte[], byte[]> producer;

    public Setting() {
        this(Stack.current().postgres(), Stack.current().kafka());
    }

    public Setting(Postgres postgres, Kafka kafka) {
        this.postgres = postgres;
        this.kafka = kafka;
        this.database = postgres.createDatabase("email");
        String name = UUID.randomUUID().toString().substring(0, 8);
        this.topic = "events-" + name;
        this.group = "group-" + name;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            await(admin.createTopics(List.of(new NewTopic(topic, 12, (short) 1)))
                    .all());
        }
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", "5", "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        properties.put("server.port", "0");
        properties.put("operator.password", PASSWORD);
        properties.put("spring.datasource.url", postgres.jdbcUrl(database));
        properties.put("spring.datasource.username", "email");
        properties.put("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
        properties.put("inbox.topic", topic);
        properties.put("inbox.group", group);
        properties.put("provider.url", provider.url());
        properties.put("spring.main.register-shutdown-hook", "false");
    }

    /** Sets properties for the applications that are started afterwards. */
    public Setting with(String... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            properties.put(pairs[i], pairs[i + 1]);
        }
        return this;
    }

    /** Starts the application in this JVM. */
    public App start(Class<?>... more) {
        List<Class<?>> connections = Stack.current().connections();
        Map<String, String> settings = new LinkedHashMap<>(properties);
        if (!connections.isEmpty()) {
            settings.remove("spring.kafka.bootstrap-servers");
        }
        Class<?>[] sources =
                Stream.concat(Stream.of(more), connections.stream()).toArray(Class<?>[]::new);
        App app = App.start(settings, sources);
        started.add(app);
        return app;
    }

    /** Starts the application as a process of its own. */
    public ChildApp startChild(String... jvmOptions) {
        ChildApp app = ChildApp.start(properties, jvmOptions);
        started.add(app);
        return app;
    }

    /** Publishes signups {@code from} to {@code to}, the end not included, and waits until Kafka has them. */
    public void signUp(int from, int to) {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = from; i < to; i++) {
            sent.add(signUp("user-" + i, address(i)));
        }
        sent.forEach(Setting::await);
    }

    public Future<?> signUp(String userId, String email) {
        return publish(
                userId,
                "UserSignedUp",
                ("{\"userId\":\"%s\",\"email\":\"%s\",\"firstName\":\"Grace\",\"lastName\":\"Hopper\","
                                + "\"occurredAt\":\"2026-01-02T03:04:05.678Z\"}")
                        .formatted(userId, email)
                        .getBytes(StandardCharsets.UTF_8));
    }

    public static String address(int i) {
        return "user-" + i + "@example.com";
    }

    public Future<?> publish(String key, String type, byte[] value) {
        return producer.send(event(topic, key, type, value));
    }

    public static ProducerRecord<byte[], byte[]> event(String topic, String key, String type, byte[] value) {
        ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
        String id = UUID.randomUUID().toString();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("id", id);
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", id);
        headers.put("ce_type", type);
        headers.put("ce_source", "/signup-service");
        headers.put("ce_time", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
        headers.put("content-type", "application/json");
        headers.forEach((name, text) -> event.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return event;
    }

    /** First column of the first row in this test's database. */
    public String query(String sql) {
        return String.valueOf(postgres.query(database, sql));
    }

    public void execute(String sql) {
        postgres.execute(database, sql);
    }

    public long count(String where) {
        return Long.parseLong(query("select count(*) from email_delivery where " + where));
    }

    /** The group's committed offset of each partition that has one. */
    public Map<TopicPartition, Long> committed(Admin admin) {
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, at) -> {
                    if (at != null) {
                        offsets.put(partition, at.offset());
                    }
                });
        return offsets;
    }

    public Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    /** Records that the group has not committed, as any lag tool computes it. */
    public long lag() {
        try (Admin admin = admin()) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
            Map<TopicPartition, OffsetSpec> latest = new LinkedHashMap<>();
            for (int p = 0; p < 12; p++) {
                latest.put(new TopicPartition(topic, p), OffsetSpec.latest());
            }
            return await(admin.listOffsets(latest).all()).entrySet().stream()
                    .mapToLong(end -> {
                        OffsetAndMetadata at = committed.get(end.getKey());
                        return end.getValue().offset() - (at == null ? 0 : at.offset());
                    })
                    .sum();
        }
    }

    public static <T> T await(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        provider.close();
        producer.close();
        for (AutoCloseable one : started.reversed()) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
