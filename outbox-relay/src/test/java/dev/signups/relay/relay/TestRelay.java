package dev.signups.relay.relay;

import static org.awaitility.Awaitility.await;

import dev.signups.relay.engine.EngineProperties;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.recovery.GapRecovery;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.DatabaseProperties;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.util.unit.DataSize;

/** A relay in this JVM, with short waits. Each outbox has topics of its own, named for its database. */
final class TestRelay implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RelayStatus status = new RelayStatus(registry);
    private final AtomicBoolean fatal = new AtomicBoolean();
    private final OutboxRelay relay;

    private TestRelay(Settings settings) {
        relay = new OutboxRelay(
                settings.relay(),
                settings.engine,
                settings.kafka(),
                new Database(settings.database()),
                status,
                () -> fatal.set(true));
        relay.start();
    }

    static Settings of(Outbox outbox, String bootstrapServers) {
        return of(outbox.jdbcUrl(), outbox.database(), bootstrapServers);
    }

    static Settings of(String jdbcUrl, String database, String bootstrapServers) {
        return new Settings(jdbcUrl, database, bootstrapServers);
    }

    static TestRelay start(Outbox outbox, String bootstrapServers) {
        return of(outbox, bootstrapServers).start();
    }

    static TestRelay start(Outbox outbox, String bootstrapServers, EngineProperties engine) {
        return of(outbox, bootstrapServers).engine(engine).start();
    }

    static DatabaseProperties database(Outbox outbox) {
        return of(outbox, "").database();
    }

    static PublishProperties kafka(Outbox outbox, String bootstrapServers) {
        return of(outbox, bootstrapServers).kafka();
    }

    static EngineProperties engine(EngineProperties.Reader reader, int batchRows) {
        return new EngineProperties(
                reader,
                batchRows,
                16384,
                DataSize.ofMegabytes(24),
                Duration.ofMillis(5),
                Duration.ofMillis(100),
                Map.of());
    }

    RelayStatus status() {
        return status;
    }

    boolean isFatal() {
        return fatal.get();
    }

    /** Tries that Kafka did not commit. */
    double failures() {
        return registry.get("relay.publish.failures").counter().count();
    }

    /** Gaps closed by comparison. */
    double recoveries() {
        return registry.find("relay.recoveries").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    boolean isReady() {
        return status.reasonNotReady() == null;
    }

    TestRelay awaitReady() {
        return awaitReady(LIMIT);
    }

    TestRelay awaitReady(Duration limit) {
        await("readiness up").atMost(limit).pollInterval(Duration.ofMillis(20)).until(this::isReady);
        return this;
    }

    /** Waits until readiness is down for a reason that names all of these; fails after the limit. */
    void awaitNotReady(Duration limit, String... parts) {
        await("readiness down, naming " + String.join(", ", parts))
                .atMost(limit)
                .pollInterval(Duration.ofMillis(20))
                .until(status::reasonNotReady, reason -> {
                    if (reason == null) {
                        return false;
                    }
                    for (String part : parts) {
                        if (!reason.contains(part)) {
                            return false;
                        }
                    }
                    return true;
                });
    }

    @Override
    public void close() {
        relay.stop();
    }

    /** How a test's relay differs from the others. */
    static final class Settings {

        private final String jdbcUrl;
        private final String database;
        private final String bootstrapServers;
        private final Map<String, String> clients = new HashMap<>();
        private EngineProperties engine = TestRelay.engine(EngineProperties.Reader.DIRECT, 4096);
        private Duration gap = Duration.ofMillis(2);
        private Duration heartbeat = Duration.ofSeconds(1);
        private Duration silence = Duration.ofSeconds(15);
        private Duration lease = Duration.ofSeconds(3);
        private GapRecovery.OlderRows recovery = GapRecovery.OlderRows.REFUSE;
        private boolean createTopics = true;
        private boolean failover;

        private Settings(String jdbcUrl, String database, String bootstrapServers) {
            this.jdbcUrl = jdbcUrl;
            this.database = database;
            this.bootstrapServers = bootstrapServers;
        }

        Settings engine(EngineProperties engine) {
            this.engine = engine;
            return this;
        }

        Settings reader(EngineProperties.Reader reader) {
            return engine(TestRelay.engine(reader, 4096));
        }

        Settings gap(Duration gap) {
            this.gap = gap;
            return this;
        }

        Settings heartbeat(Duration heartbeat) {
            this.heartbeat = heartbeat;
            return this;
        }

        Settings silence(Duration silence) {
            this.silence = silence;
            return this;
        }

        Settings lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        Settings recovery(GapRecovery.OlderRows recovery) {
            this.recovery = recovery;
            return this;
        }

        Settings failover() {
            this.failover = true;
            return this;
        }

        Settings createTopics(boolean createTopics) {
            this.createTopics = createTopics;
            return this;
        }

        /** One of the Kafka clients' properties. */
        Settings client(String key, Object value) {
            clients.put(key, value.toString());
            return this;
        }

        /** Gives up on Kafka within seconds. */
        Settings impatient() {
            return client("request.timeout.ms", 1500)
                    .client("delivery.timeout.ms", 3000)
                    .client("max.block.ms", 3000)
                    .client("transaction.timeout.ms", 4000)
                    .client("default.api.timeout.ms", 3000);
        }

        TestRelay start() {
            return new TestRelay(this);
        }

        private RelayProperties relay() {
            return new RelayProperties(Duration.ofMillis(50), lease, Duration.ofMillis(200), silence, recovery, true);
        }

        private DatabaseProperties database() {
            return new DatabaseProperties(
                    jdbcUrl, "relay", "", database + "_slot", failover, "outbox", "public.outbox", heartbeat);
        }

        PublishProperties kafka() {
            return new PublishProperties(
                    bootstrapServers,
                    database + ".event.",
                    database + ".position",
                    database + ".dead-letter",
                    3,
                    (short) -1,
                    List.of("user"),
                    createTopics,
                    "/signup-service",
                    DataSize.ofMegabytes(1),
                    null,
                    gap,
                    Duration.ofMillis(200),
                    clients);
        }
    }
}
