package dev.signups.relay.relay;

import dev.signups.relay.change.Lsn;
import dev.signups.relay.engine.EngineProperties;
import dev.signups.relay.engine.LogReader;
import dev.signups.relay.publish.BatchPublisher;
import dev.signups.relay.publish.GapException;
import dev.signups.relay.publish.PositionMovedException;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.publish.PublishedPosition;
import dev.signups.relay.publish.TransactionalPublisher;
import dev.signups.relay.recovery.GapRecovery;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.Problem;
import dev.signups.relay.slot.SlotState;
import dev.signups.relay.slot.StartupCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the relay as the leader: checks, opens the publisher, closes a gap if there is one, reads the log and
 * watches over it until something ends. Made for one run and thrown away after it.
 */
final class Session {

    private static final Logger log = LoggerFactory.getLogger(Session.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration LEASE_WORD = Duration.ofSeconds(1);

    private final RelayProperties properties;
    private final EngineProperties engine;
    private final PublishProperties kafka;
    private final Database database;
    private final StartupCheck check;
    private final RelayStatus status;
    private final BooleanSupplier isRunning;
    private volatile boolean closing;

    Session(
            RelayProperties properties,
            EngineProperties engine,
            PublishProperties kafka,
            Database database,
            RelayStatus status,
            BooleanSupplier isRunning) {
        this.properties = properties;
        this.engine = engine;
        this.kafka = kafka;
        this.database = database;
        this.check = new StartupCheck(database, kafka);
        this.status = status;
        this.isRunning = isRunning;
    }

    /** One run of the engine, from the check to its end. */
    void run(Leadership leadership, @Nullable String knownGap) throws SQLException, InterruptedException {
        List<Problem> problems = check.database();
        if (problems.stream().anyMatch(problem -> problem.severity() != Problem.Severity.WARNING)) {
            throw new ProblemsException(problems);
        }
        TransactionalPublisher.RetryGate gate = () -> {
            if (closing || !isRunning.getAsBoolean()) {
                throw new InterruptedException("the relay stops");
            }
            if (!leadership.isHeld()) {
                throw new LeadershipLostException("the advisory lock is lost");
            }
        };
        try (TransactionalPublisher publisher =
                        new TransactionalPublisher(kafka, database.properties().slot(), status);
                Connection monitor = database.open("outbox-relay monitor")) {
            PublishedPosition position = publisher.open();
            String gap = knownGap != null ? knownGap : GapCheck.run(monitor, database.properties(), position);
            long start;
            if (gap != null) {
                status.trouble("closing a gap by comparison (" + gap + ")");
                log.atWarn().addKeyValue("gap", gap).log("closing a gap by comparing the outbox with Kafka");
                position = new GapRecovery(database, kafka, properties.recovery()).run(publisher, position, gate);
                status.recovered(gap);
                start = position.lastEnd();
            } else {
                start = required(SlotState.read(monitor, database.properties().slot()))
                        .confirmedLsn();
            }
            PublishedPosition from = Objects.requireNonNull(position);
            status.position(from.lastEnd());
            Heartbeat heartbeat = new Heartbeat(database.properties().heartbeat(), status);
            BatchPublisher batches = new BatchPublisher(publisher, from, start, gate, heartbeat::returned);
            try (LogReader reader = LogReader.start(database.logSource(), engine, changes -> {
                status.publishing(true);
                try {
                    long confirm = batches.handle(changes);
                    status.position(batches.position().lastEnd());
                    return confirm;
                } finally {
                    status.publishing(false);
                }
            })) {
                log.atInfo()
                        .addKeyValue("from", Lsn.format(start))
                        .addKeyValue("published", Lsn.format(from.lastEnd()))
                        .log("streaming");
                watch(reader, leadership, monitor, heartbeat, from.publication());
            } finally {
                closing = true;
            }
        }
    }

    /** Returns when the relay stops; throws when the run must end. */
    private void watch(
            LogReader reader, Leadership leadership, Connection monitor, Heartbeat heartbeat, String publication)
            throws SQLException, InterruptedException {
        SlotForecast forecast = new SlotForecast();
        long nextWord = 0;
        while (isRunning.getAsBoolean()) {
            if (ended(reader, LOOK)) {
                return;
            }
            long now = System.nanoTime();
            if (now - nextWord < 0) {
                continue;
            }
            nextWord = now + LEASE_WORD.toNanos();
            if (!leadership.isHeld()) {
                throw new LeadershipLostException("the advisory lock is lost");
            }
            SlotState slot =
                    required(SlotState.read(monitor, database.properties().slot()));
            if (slot.isLost()) {
                throw new GapException("the server has given up the slot's log (wal_status=lost)");
            }
            status.slot(slot, forecast.secondsToLoss(slot));
            String present =
                    StartupCheck.fingerprint(monitor, database.properties().publication());
            if (present.isEmpty()) {
                throw new ProblemsException(check.database());
            }
            if (!present.equals(publication)) {
                throw new GapException("publication " + database.properties().publication() + " was altered");
            }
            heartbeat.beat(monitor);
            if (heartbeat.hasReturned() && !status.isStreaming()) {
                status.streaming(true);
            }
            if (heartbeat.isSilentFor(properties.silence()) && !status.isPublishing()) {
                throw new IllegalStateException("nothing came through the log for "
                        + properties.silence().toSeconds() + " s, not even the relay's own message: the connection"
                        + " is dead or the server cannot decode");
            }
        }
    }

    private static boolean ended(LogReader reader, Duration wait) throws InterruptedException {
        try {
            Throwable cause = reader.ended().get(wait.toMillis(), TimeUnit.MILLISECONDS);
            if (cause == null) {
                throw new IllegalStateException("Debezium's engine ended without a cause");
            }
            for (Throwable t = cause; t != null; t = t.getCause()) {
                switch (t) {
                    case GapException e -> throw e;
                    case LeadershipLostException e -> throw e;
                    case PositionMovedException e -> throw e;
                    case ConnectException _ -> {
                        // Debezium's wrapping: a KafkaException by type, whatever the cause
                    }
                    case KafkaException e -> throw e;
                    case SQLException e ->
                        throw new IllegalStateException(
                                "the stream ended (SQLSTATE " + e.getSQLState() + "): " + Failures.firstLine(e), cause);
                    default -> {}
                }
            }
            throw new IllegalStateException("Debezium's engine ended: " + Failures.firstLine(cause), cause);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private SlotState required(@Nullable SlotState slot) {
        if (slot == null) {
            throw new GapException("slot " + database.properties().slot() + " is gone");
        }
        return slot;
    }
}
