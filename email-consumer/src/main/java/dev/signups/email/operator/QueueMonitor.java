package dev.signups.email.operator;

import dev.signups.email.delivery.Deliveries;
import dev.signups.email.delivery.Sending;
import dev.signups.email.inbox.Backlog;
import dev.signups.email.inbox.BadRecords;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Measures the queue once a second, however often it is asked for, and holds the gauges. */
@Component
class QueueMonitor implements SmartLifecycle {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration STALE = Duration.ofSeconds(15);
    private static final Logger log = LoggerFactory.getLogger(QueueMonitor.class);

    private final Backlog backlog;
    private final Deliveries deliveries;
    private final BadRecords badRecords;
    private final Sending sending;
    private final ReentrantLock measuring = new ReentrantLock();

    private volatile @Nullable Measured last;
    private volatile Instant kafkaAnswered = Instant.EPOCH;
    private volatile boolean complaining;
    private volatile @Nullable Thread thread;

    QueueMonitor(
            Backlog backlog, Deliveries deliveries, BadRecords badRecords, Sending sending, MeterRegistry registry) {
        this.backlog = backlog;
        this.deliveries = deliveries;
        this.badRecords = badRecords;
        this.sending = sending;
        Gauge.builder("email.queue.depth", this, m -> m.value(Measured::depth))
                .description("Records not yet taken in, and deliveries that wait or are being sent")
                .register(registry);
        Gauge.builder("email.oldest.pending.age", this, QueueMonitor::oldestAge)
                .baseUnit("seconds")
                .description("Age of the oldest record not yet taken in or delivery not yet made")
                .register(registry);
        Gauge.builder("email.queue.failed", this, m -> m.value(v -> v.figures.failed()))
                .description("Deliveries given up")
                .register(registry);
        Gauge.builder("email.inbox.lag", this, m -> m.value(v -> v.size.lag()))
                .description("Records not yet taken in")
                .register(registry);
        Gauge.builder("email.bad.records.open", this, m -> m.value(Measured::badRecords))
                .description("Records that could not be read and that nobody has dealt with")
                .register(registry);
        Gauge.builder("email.breaker.state", sending, QueueMonitor::breaker)
                .description("Circuit breaker of the provider: 0 closed, 1 half open, 2 open")
                .register(registry);
        Gauge.builder("email.paused", sending, s -> s.isPaused() ? 1 : 0)
                .description("1 while an operator has stopped sending")
                .register(registry);
        Gauge.builder("email.credential.refused", sending, s -> s.refusedCredential() == null ? 0 : 1)
                .description("1 while the provider refuses our credential")
                .register(registry);
    }

    private record Measured(Instant at, Backlog.Size size, Deliveries.Figures figures, long badRecords) {

        long depth() {
            return size.lag() + figures.open();
        }

        Duration age(Instant now) {
            Duration since = Duration.between(at, now);
            Duration rows =
                    figures.open() == 0 ? Duration.ZERO : figures.oldest().plus(since);
            Instant oldest = size.oldest();
            Duration records = oldest == null ? Duration.ZERO : Duration.between(oldest, now);
            return rows.compareTo(records) > 0 ? rows : records;
        }
    }

    private interface Reader {
        double read(Measured measured);
    }

    /** The newest figures, at most a second old while Kafka and the ledger answer. */
    QueueView view() throws InterruptedException {
        Measured measured = fresh();
        return new QueueView(
                measured.depth(),
                Math.max(0, measured.age(Instant.now()).toSeconds()),
                measured.figures.sending(),
                measured.figures.failed(),
                measured.badRecords,
                sending.breaker(),
                sending.isPaused());
    }

    /** Whether Kafka has answered lately. */
    boolean isKafkaReachable() {
        return Duration.between(kafkaAnswered, Instant.now()).compareTo(STALE) < 0;
    }

    @Override
    public void start() {
        // known before it runs: it ends as soon as it is not the one known
        Thread monitor = Thread.ofPlatform().name("queue-monitor").daemon().unstarted(this::run);
        thread = monitor;
        monitor.start();
    }

    @Override
    public void stop() {
        Thread running = thread;
        thread = null;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    private void run() {
        while (thread == Thread.currentThread()) {
            try {
                refresh();
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void refresh() throws InterruptedException {
        try {
            measure();
            complaining = false;
        } catch (Backlog.KafkaUnreachableException | RuntimeException e) {
            if (!complaining) {
                log.warn("the queue cannot be measured: {}", e.getClass().getSimpleName());
            }
            complaining = true;
        }
    }

    private Measured fresh() throws InterruptedException {
        Measured measured = last;
        if (measured != null && Duration.between(measured.at, Instant.now()).compareTo(INTERVAL) < 0) {
            return measured;
        }
        try {
            return measure();
        } catch (Backlog.KafkaUnreachableException e) {
            if (measured == null) {
                throw new IllegalStateException("Kafka did not answer", e);
            }
            return measured;
        }
    }

    private Measured measure() throws InterruptedException, Backlog.KafkaUnreachableException {
        measuring.lockInterruptibly();
        try {
            Measured present = last;
            if (present != null && Duration.between(present.at, Instant.now()).compareTo(INTERVAL.dividedBy(2)) < 0) {
                return present;
            }
            Instant now = Instant.now();
            // the lag first: a record taken in between the two is counted twice for a second, never missed
            Backlog.Size size = backlog.measure();
            kafkaAnswered = Instant.now();
            Measured measured = new Measured(now, size, deliveries.figures(), badRecords.count());
            last = measured;
            return measured;
        } finally {
            measuring.unlock();
        }
    }

    private double value(Reader reader) {
        Measured measured = last;
        return measured == null ? 0 : reader.read(measured);
    }

    private double oldestAge() {
        return value(measured -> measured.age(Instant.now()).toMillis() / 1000.0);
    }

    private static double breaker(Sending sending) {
        return switch (sending.breaker()) {
            case "closed" -> 0;
            case "half_open" -> 1;
            default -> 2;
        };
    }
}
