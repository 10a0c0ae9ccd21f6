package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties;
import dev.signups.relay.publish.GapException;
import dev.signups.relay.publish.PositionMovedException;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.Problem;
import dev.signups.relay.slot.StartupCheck;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
                trouble(
                        "PostgreSQL cannot be reached (SQLSTATE " + e.getSQLState() + "): check DB_URL and the server",
                        e);
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
        if (problems.stream().anyMatch(problem -> problem.severity() == Problem.Severity.WAITING)) {
            pause(properties.restartInterval());
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
                new Session(properties, engine, kafka, database, status, () -> running).run(leadership, gap);
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
                report(e.problems());
            } catch (KafkaException e) {
                trouble(
                        "Kafka: " + e.getClass().getSimpleName() + ": " + e.getMessage()
                                + ": check KAFKA_BOOTSTRAP_SERVERS, the broker and its permissions",
                        e);
            } catch (SQLException e) {
                trouble("PostgreSQL (SQLSTATE " + e.getSQLState() + "): " + Failures.firstLine(e), e);
            } catch (RuntimeException e) {
                trouble(Failures.firstLine(e), e);
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

    private void pause(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        while (running && until - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, until - System.nanoTime());
        }
    }
}
