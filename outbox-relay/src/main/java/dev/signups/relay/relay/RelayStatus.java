package dev.signups.relay.relay;

import dev.signups.relay.change.Change.Row;
import dev.signups.relay.change.Lsn;
import dev.signups.relay.publish.PublishListener;
import dev.signups.relay.slot.SlotState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What the relay is doing, for health, metrics and the API. Written by the relay, read by anyone. */
@Component
public final class RelayStatus implements PublishListener {

    /** Which part this instance plays. */
    public enum Role {
        /** Not yet decided. */
        STARTING,
        /** Another instance leads; this one waits to take over. */
        STANDBY,
        /** This instance publishes, or tries to. */
        LEADER
    }

    /** A publish that takes longer than this is a fault, though it may still succeed. */
    static final Duration SLOW = Duration.ofSeconds(3);

    private final Counter published;
    private final Counter deadLettered;
    private final Counter failures;
    private final Counter restarts;
    private final Timer commitToRead;
    private final Timer readToAcknowledged;
    private final Timer commitToAcknowledged;
    private final MeterRegistry registry;

    private volatile Role role = Role.STARTING;
    private volatile @Nullable String trouble = "starting";
    private volatile @Nullable String kafkaTrouble;
    private volatile boolean streaming;
    private volatile long publishedLsn;
    private volatile @Nullable Instant lastPublishedAt;
    private volatile @Nullable SlotState slot;
    private volatile long heartbeatNanos = System.nanoTime();
    private volatile long publishingSince;
    private volatile double forecastSeconds = Double.NaN;

    RelayStatus(MeterRegistry registry) {
        this.registry = registry;
        published = Counter.builder("relay.published")
                .description("rows committed in Kafka, dead letters left out")
                .register(registry);
        deadLettered = Counter.builder("relay.dead.letters")
                .description("rows that could not be published")
                .register(registry);
        failures = Counter.builder("relay.publish.failures")
                .description("tries that Kafka did not commit; each is repeated")
                .register(registry);
        restarts = Counter.builder("relay.restarts")
                .description("runs of the engine that ended in a failure")
                .register(registry);
        commitToRead = timer("relay.commit.to.read", "transaction's commit to the relay's reading it");
        readToAcknowledged = timer("relay.read.to.acknowledged", "reading a row to Kafka's commit");
        commitToAcknowledged = timer("relay.commit.to.acknowledged", "transaction's commit to Kafka's commit");
        Gauge.builder("relay.leader", this, s -> s.role == Role.LEADER ? 1 : 0)
                .description("1 on the instance that leads")
                .register(registry);
        Gauge.builder("relay.ready", this, s -> s.reasonNotReady() == null ? 1 : 0)
                .description("1 while readiness is up")
                .register(registry);
        Gauge.builder("relay.slot.lag.bytes", this, s -> slotValue(s.slot, true))
                .description("log written since what the slot has confirmed")
                .register(registry);
        Gauge.builder("relay.slot.retained.bytes", this, s -> slotValue(s.slot, false))
                .description("log that the server keeps for the slot")
                .register(registry);
        Gauge.builder("relay.slot.safe.bytes", this, RelayStatus::safeBytes)
                .description("log that may still be written before the slot is lost; NaN without a limit")
                .register(registry);
        Gauge.builder("relay.slot.loss.forecast.seconds", this, s -> s.forecastSeconds)
                .description("time until the slot is lost at the present rate of writing, if nothing is confirmed")
                .register(registry);
        TimeGauge.builder(
                        "relay.heartbeat.age",
                        this,
                        TimeUnit.NANOSECONDS,
                        s -> s.heartbeatAge().toNanos())
                .description("time since the relay's own message came back through the log")
                .register(registry);
    }

    /** Whether this instance leads. */
    public Role role() {
        return role;
    }

    /** End LSN of the last transaction published. */
    public long publishedLsn() {
        return publishedLsn;
    }

    /** When rows were last committed in Kafka; null if not since the start. */
    public @Nullable Instant lastPublishedAt() {
        return lastPublishedAt;
    }

    /** The slot as last seen by the leader. */
    public @Nullable SlotState slot() {
        return slot;
    }

    /** Rows of this process that became dead letters. */
    public long deadLettered() {
        return (long) deadLettered.count();
    }

    /** Why the relay is not ready, or null if it is. */
    public @Nullable String reasonNotReady() {
        if (role == Role.STANDBY) {
            return null;
        }
        if (trouble != null) {
            return trouble;
        }
        if (kafkaTrouble != null) {
            return kafkaTrouble;
        }
        long since = publishingSince;
        if (since != 0 && System.nanoTime() - since > SLOW.toNanos()) {
            return "Kafka has not answered for "
                    + Duration.ofNanos(System.nanoTime() - since).toSeconds() + " s";
        }
        return streaming ? null : "the engine is not streaming";
    }

    boolean isStreaming() {
        return streaming;
    }

    boolean isPublishing() {
        return publishingSince != 0;
    }

    Duration heartbeatAge() {
        return Duration.ofNanos(System.nanoTime() - heartbeatNanos);
    }

    void role(Role now) {
        role = now;
    }

    void trouble(@Nullable String reason) {
        trouble = reason;
    }

    void streaming(boolean now) {
        streaming = now;
        if (now) {
            heartbeatNanos = System.nanoTime();
            trouble = null;
        } else {
            publishingSince = 0;
        }
    }

    void restarted() {
        restarts.increment();
    }

    void recovered(String reason) {
        Counter.builder("relay.recoveries")
                .description("gaps closed by comparing the outbox with the topic")
                .tag("reason", reason)
                .register(registry)
                .increment();
    }

    void heartbeat() {
        heartbeatNanos = System.nanoTime();
    }

    void publishing(boolean now) {
        publishingSince = now ? System.nanoTime() : 0;
    }

    void position(long lsn) {
        publishedLsn = lsn;
    }

    void slot(@Nullable SlotState state, double secondsToLoss) {
        slot = state;
        forecastSeconds = secondsToLoss;
    }

    @Override
    public void published(List<Row> rows, int dead, Instant at) {
        kafkaTrouble = null;
        if (rows.isEmpty()) {
            return;
        }
        lastPublishedAt = at;
        published.increment(rows.size() - dead);
        deadLettered.increment(dead);
        for (Row row : rows) {
            commitToRead.record(positive(row.committedAt(), row.readAt()), TimeUnit.NANOSECONDS);
            readToAcknowledged.record(positive(row.readAt(), at), TimeUnit.NANOSECONDS);
            commitToAcknowledged.record(positive(row.committedAt(), at), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void failed(Exception cause) {
        failures.increment();
        kafkaTrouble = "Kafka: " + cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /** Two machines' clocks may disagree; a time before it began counts as none. */
    private static long positive(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toNanos());
    }

    private static double slotValue(@Nullable SlotState state, boolean lag) {
        return state == null ? Double.NaN : lag ? state.lagBytes() : state.retainedBytes();
    }

    private double safeBytes() {
        SlotState state = slot;
        Long safe = state == null ? null : state.safeBytes();
        return safe == null ? Double.NaN : safe;
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(500_000))
                .maximumExpectedValue(Duration.ofMinutes(5))
                .register(registry);
    }

    @Override
    public String toString() {
        return "RelayStatus[" + role + ", publishedLsn=" + Lsn.format(publishedLsn) + "]";
    }
}
