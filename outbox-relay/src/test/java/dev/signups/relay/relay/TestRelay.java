package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.recovery.GapRecovery;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.DatabaseProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.util.unit.DataSize;

/** A relay in this JVM, with short waits. Each outbox has topics of its own, named for its database. */
final class TestRelay implements AutoCloseable {

    private final RelayStatus status = new RelayStatus(new SimpleMeterRegistry());
    private final AtomicBoolean fatal = new AtomicBoolean();
    private final OutboxRelay relay;

    private TestRelay(DatabaseProperties database, PublishProperties kafka, EngineProperties engine) {
        relay = new OutboxRelay(
                new RelayProperties(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(3),
                        Duration.ofMillis(200),
                        Duration.ofSeconds(15),
                        GapRecovery.OlderRows.REFUSE,
                        true),
                engine,
                kafka,
                new Database(database),
                status,
                () -> fatal.set(true));
        relay.start();
    }

    static TestRelay start(Outbox outbox, String bootstrapServers) {
        return start(outbox, bootstrapServers, engine(EngineProperties.Reader.DIRECT, 4096));
    }

    static TestRelay start(Outbox outbox, String bootstrapServers, EngineProperties engine) {
        return start(outbox, kafka(outbox, bootstrapServers, Map.of()), engine);
    }

    static TestRelay start(Outbox outbox, PublishProperties kafka, EngineProperties engine) {
        return new TestRelay(database(outbox), kafka, engine);
    }

    static TestRelay start(String jdbcUrl, String database, String bootstrapServers, EngineProperties engine) {
        return new TestRelay(database(jdbcUrl, database), kafka(database, bootstrapServers, Map.of()), engine);
    }

    static DatabaseProperties database(Outbox outbox) {
        return database(outbox.jdbcUrl(), outbox.database());
    }

    private static DatabaseProperties database(String jdbcUrl, String database) {
        return new DatabaseProperties(
                jdbcUrl, "relay", "", database + "_slot", false, "outbox", "public.outbox", Duration.ofSeconds(1));
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

    static PublishProperties kafka(Outbox outbox, String bootstrapServers, Map<String, String> properties) {
        return kafka(outbox.database(), bootstrapServers, properties);
    }

    private static PublishProperties kafka(String database, String bootstrapServers, Map<String, String> properties) {
        return new PublishProperties(
                bootstrapServers,
                database + ".event.",
                database + ".position",
                database + ".dead-letter",
                3,
                (short) -1,
                true,
                "/signup-service",
                DataSize.ofMegabytes(1),
                null,
                Duration.ofMillis(2),
                Duration.ofMillis(200),
                properties);
    }

    RelayStatus status() {
        return status;
    }

    boolean isFatal() {
        return fatal.get();
    }

    @Override
    public void close() {
        relay.stop();
    }
}
