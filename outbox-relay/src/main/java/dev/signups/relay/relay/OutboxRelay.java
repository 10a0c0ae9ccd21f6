package dev.signups.relay.relay;

import dev.signups.relay.change.Change;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The relay's life: waits for the lead, checks, closes a gap if there is one, runs an engine until it ends, and starts
 * again. One thread; everything that a run needs is made for it and thrown away after it, so that no state outlives a
 * failure but what PostgreSQL and Kafka hold.
 */
public final class OutboxRelay implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration LEASE_WORD = Duration.ofSeconds(1);

    private final RelayProperties properties;
    private final EngineProperties engine;
    private final PublishProperties kafka;
    private final Database database;
    private final StartupCheck check;
    private final RelayStatus status;
    private final Runnable onFatal;
    private volatile boolean running;
    private @Nullable Thread thread;
    private boolean checkedOnce;

    /**
     * @param properties of the life
     * @param engine how the log is read
     * @param kafka how events are published
     * @param database the outbox's
     * @param status is kept up to date
     * @param onFatal called when the first check finds what waiting cannot mend
     */
    public OutboxRelay(
            RelayProperties properties,
            EngineProperties engine,
            PublishProperties kafka,
            Database database,
            RelayStatus status,
            Runnable onFatal) {
        this.properties = properties;
        this.engine = engine;
        this.kafka = kafka;
        this.database = database;
        this.check = new StartupCheck(database, kafka);
        this.status = status;
        this.onFatal = onFatal;
    }

    @Override
    public synchronized void start() {
        running = true;
        Thread started = Thread.ofPlatform().name("outbox-relay").unstarted(this::run);
        thread = started;
        started.start();
    }

    @Override
    public synchronized void stop() {
        running = false;
        Thread stopping = thread;
        thread = null;
        if (stopping != null) {
            LockSupport.unpark(stopping);
            try {
                stopping.join(25_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void run() {
        Backoff backoff = new Backoff(properties.restartInterval());
        while (running) {
            try (Leadership leadership = new Leadership(database, properties.lease())) {
                if (!firstCheck() || !awaitLead(leadership)) {
                    continue;
                }
                backoff.reset();
                lead(leadership);
            } catch (SQLException e) {
                trouble("PostgreSQL cannot be reached (SQLSTATE " + e.getSQLState() + "): check DB_URL and the server", e);
                pause(backoff.next());
            } catch (RuntimeException e) {
                trouble("unexpected: " + e, e);
                pause(backoff.next());
            } finally {
                status.streaming(false);
                status.role(RelayStatus.Role.STARTING);
            }
        }
    }

    /** Before a relay even stands by it says what it lacks. */
    private boolean firstCheck() {
        if (checkedOnce) {
            return true;
        }
        List<Problem> problems = check.run();
        report(problems);
        if (problems.stream().anyMatch(problem -> problem.severity() == Problem.Severity.FATAL)) {
            if (properties.exitOnFatal()) {
                running = false;
                onFatal.run();
            } else {
                pause(properties.restartInterval());
            }
            return false;
        }
        checkedOnce = true;
        return true;
    }

    private boolean awaitLead(Leadership leadership) throws SQLException {
        while (running) {
            if (leadership.tryAcquire()) {
                status.trouble("starting");
                status.role(RelayStatus.Role.LEADER);
                log.info("this relay leads");
                return true;
            }
            if (status.role() != RelayStatus.Role.STANDBY) {
                status.role(RelayStatus.Role.STANDBY);
                log.info("another relay leads; this one stands by");
            }
            pause(properties.standbyInterval());
        }
        return false;
    }

    private void lead(Leadership leadership) {
        Backoff backoff = new Backoff(properties.restartInterval());
        String gap = null;
        while (running && leadership.isHeld()) {
            long began = System.nanoTime();
            try {
                session(leadership, gap);
                gap = null;
            } catch (GapException e) {
                log.atWarn().addKeyValue("gap", e.getMessage()).log("the log does not continue where publishing ended");
                gap = "log";
            } catch (LeadershipLostException | PositionMovedException e) {
                log.atWarn().addKeyValue("cause", e.getMessage()).log("another relay took over");
                return;
            } catch (InterruptedException e) {
                log.debug("a run was stopped");
            } catch (ProblemsException e) {
                report(e.problems);
            } catch (KafkaException e) {
                trouble("Kafka: " + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + ": check KAFKA_BOOTSTRAP_SERVERS, the broker and its permissions", e);
            } catch (SQLException e) {
                trouble("PostgreSQL (SQLSTATE " + e.getSQLState() + "): " + firstLine(e), e);
            } catch (RuntimeException e) {
                trouble(firstLine(e), e);
            }
            status.streaming(false);
            if (running) {
                status.restarted();
                if (System.nanoTime() - began > TimeUnit.MINUTES.toNanos(1)) {
                    backoff.reset();
                }
                if (gap == null) {
                    pause(backoff.next());
                }
            }
        }
        if (running) {
            log.warn("the lead is lost");
        }
    }

    /** One run of the engine, from the check to its end. */
    private void session(Leadership leadership, @Nullable String knownGap) throws SQLException, InterruptedException {
        List<Problem> problems = check.database();
        if (problems.stream().anyMatch(problem -> problem.severity() != Problem.Severity.WARNING)) {
            throw new ProblemsException(problems);
        }
        Closing closing = new Closing();
        TransactionalPublisher.RetryGate gate = () -> {
            if (closing.now || !running) {
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
            String gap = knownGap != null ? knownGap : gap(monitor, position);
            long start;
            if (gap != null) {
                status.trouble("closing a gap by comparison (" + gap + ")");
                log.atWarn().addKeyValue("gap", gap).log("closing a gap by comparing the outbox with Kafka");
                position = new GapRecovery(database, kafka, properties.recovery()).run(publisher, position, gate);
                status.recovered(gap);
                start = position.lastEnd();
            } else {
                start = required(SlotState.read(monitor, database.properties().slot())).confirmedLsn();
            }
            PublishedPosition from = java.util.Objects.requireNonNull(position);
            status.position(from.lastEnd());
            Heartbeat heartbeat = new Heartbeat(database.properties().heartbeat());
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
                closing.now = true;
            }
        }
    }

    /** Returns when the relay stops; throws when the run must end. */
    private void watch(
            LogReader reader, Leadership leadership, Connection monitor, Heartbeat heartbeat, String publication)
            throws SQLException, InterruptedException {
        SlotForecast forecast = new SlotForecast();
        long nextWord = 0;
        while (running) {
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
            SlotState slot = required(SlotState.read(monitor, database.properties().slot()));
            if (slot.isLost()) {
                throw new GapException("the server has given up the slot's log (wal_status=lost)");
            }
            status.slot(slot, forecast.secondsToLoss(slot));
            String present = StartupCheck.fingerprint(monitor, database.properties().publication());
            if (present.isEmpty()) {
                throw new ProblemsException(check.database());
            }
            if (!present.equals(publication)) {
                throw new GapException("publication " + database.properties().publication() + " was altered");
            }
            heartbeat.beat(monitor);
            if (heartbeat.firstReturned() && !status.isStreaming()) {
                status.streaming(true);
            }
            if (heartbeat.silentFor(properties.silence()) && !status.isPublishing()) {
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
                    case KafkaException e -> throw e;
                    case SQLException e ->
                        throw new IllegalStateException(
                                "the stream ended (SQLSTATE " + e.getSQLState() + "): " + firstLine(e), cause);
                    default -> {}
                }
            }
            throw new IllegalStateException("Debezium's engine ended: " + firstLine(cause), cause);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Why the log cannot be followed from where publishing ended; null if it can. */
    private @Nullable String gap(Connection connection, @Nullable PublishedPosition position) throws SQLException {
        SlotState slot = SlotState.read(connection, database.properties().slot());
        if (slot == null) {
            return position == null ? "first start" : "slot missing";
        }
        if (slot.isLost()) {
            return "slot lost";
        }
        if (position == null) {
            return "position missing";
        }
        if (position.isRecovering()) {
            return "recovery unfinished";
        }
        String system = Database.query(connection, "select system_identifier from pg_control_system()");
        if (!position.systemIdentifier().equals(system)) {
            return "another cluster";
        }
        if (slot.confirmedLsn() > position.confirmed()) {
            return "slot advanced by somebody else";
        }
        if (!position.publication()
                .equals(StartupCheck.fingerprint(connection, database.properties().publication()))) {
            return "publication altered";
        }
        return null;
    }

    private SlotState required(@Nullable SlotState slot) {
        if (slot == null) {
            throw new GapException("slot " + database.properties().slot() + " is gone");
        }
        return slot;
    }

    private void report(List<Problem> problems) {
        StringBuilder reasons = new StringBuilder();
        for (Problem problem : problems) {
            switch (problem.severity()) {
                case FATAL -> log.atError().log(problem.line());
                case WAITING, WARNING -> log.atWarn().log(problem.line());
            }
            if (problem.severity() != Problem.Severity.WARNING) {
                reasons.append(reasons.isEmpty() ? "" : "; ").append(problem.line());
            }
        }
        if (!reasons.isEmpty()) {
            status.trouble(reasons.toString());
        }
    }

    private void trouble(String reason, Exception cause) {
        status.trouble(reason);
        log.atError().addKeyValue("cause", cause.getClass().getSimpleName()).log(reason);
        log.atDebug().setCause(cause).log("the failure in full");
    }

    private static String firstLine(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
    }

    private void pause(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        while (running && until - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, until - System.nanoTime());
        }
    }

    private static final class Closing {
        private volatile boolean now;
    }

    private final class Heartbeat {

        private final Duration interval;
        private final String prefix = "outbox-relay";
        private final String content = java.util.UUID.randomUUID().toString();
        private long next;
        private volatile boolean returned;

        Heartbeat(Duration interval) {
            this.interval = interval;
            status.heartbeat();
        }

        void beat(Connection connection) throws SQLException {
            if (next == 0 || System.nanoTime() - next >= 0) {
                next = System.nanoTime() + interval.toNanos();
                Database.query(connection, "select pg_logical_emit_message(false, ?, ?)", prefix, content);
            }
        }

        void returned(Change.Mark mark) {
            if (mark.prefix().equals(prefix) && mark.content().equals(content)) {
                returned = true;
                status.heartbeat();
            }
        }

        boolean firstReturned() {
            return returned;
        }

        boolean silentFor(Duration limit) {
            return status.heartbeatAge().compareTo(limit) > 0;
        }
    }

    private static final class ProblemsException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient List<Problem> problems;

        ProblemsException(List<Problem> problems) {
            super(problems.isEmpty() ? "a check failed" : problems.getFirst().line());
            this.problems = problems;
        }
    }
}
