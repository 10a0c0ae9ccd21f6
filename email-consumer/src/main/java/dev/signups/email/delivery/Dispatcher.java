package dev.signups.email.delivery;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Runs at most C sends at once, each on a virtual thread, and keeps the ledger in step with them.
 *
 * <p>One platform thread does all the ledger's work, in this order: write results, renew leases, claim what is due. So
 * after an outage of the database nothing is claimed before what was learnt meanwhile is written. A permit is given
 * back when its result is written, not before: what is not yet written is bounded by C too.
 */
@Component
public class Dispatcher implements SmartLifecycle {

    /** Starts before and stops after the Kafka containers, whose phase is 100 below the highest. */
    private static final int PHASE = Integer.MAX_VALUE - 200;

    private static final int LARGEST_CLAIM = 500;
    private static final int LARGEST_WRITE = 1000;
    private static final Duration HOUSEKEEPING = Duration.ofMillis(500);
    private static final Duration LOOK_FOR_UNKNOWN = Duration.ofSeconds(2);
    private static final Duration DRAIN_STEP = Duration.ofMillis(20);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

    private final DeliveryLog ledger;
    private final SendingControl control;
    private final SendingGate gate;
    private final Sender sender;
    private final DeliveryMetrics metrics;
    private final DeliveryProperties properties;

    private final Permits permits;
    private final Map<Delivery.Claim, Held> held = new ConcurrentHashMap<>();
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final List<Result> unwritten = new ArrayList<>();
    private final List<Consumer<Boolean>> listeners = new CopyOnWriteArrayList<>();

    private volatile boolean running;
    private volatile boolean draining;
    private volatile boolean backlog = true;
    private volatile boolean nothingToProbe;
    private volatile boolean ledgerDown;
    private volatile @Nullable Thread thread;
    private long nextSweep;
    private long nextHousekeeping;
    private long nextLookForUnknown;

    Dispatcher(
            DeliveryLog ledger,
            SendingControl control,
            SendingGate gate,
            Sender sender,
            DeliveryMetrics metrics,
            DeliveryProperties properties,
            MeterRegistry registry) {
        this.ledger = ledger;
        this.control = control;
        this.gate = gate;
        this.sender = sender;
        this.metrics = metrics;
        this.properties = properties;
        this.permits = new Permits(properties.permits());
        long now = System.nanoTime();
        this.nextSweep = now;
        this.nextHousekeeping = now;
        this.nextLookForUnknown = now;
        Gauge.builder("email.permits", properties, DeliveryProperties::permits)
                .description("C: deliveries that this instance may hold at once")
                .register(registry);
        Gauge.builder("email.in.flight", permits, Permits::taken)
                .description("Deliveries held by this instance: being sent, or sent and not yet written down")
                .register(registry);
    }

    private static final class Held {
        final Delivery delivery;
        volatile long renewAt;

        Held(Delivery delivery, long renewAt) {
            this.delivery = delivery;
            this.renewAt = renewAt;
        }
    }

    /**
     * Takes new deliveries into the ledger and starts as many as there are permits for; the rest wait there.
     *
     * @return how many were new
     */
    public int accept(List<NewDelivery> batch) {
        int taken = gate.isOpen() ? permits.takeUpTo(batch.size()) : 0;
        DeliveryLog.Inserted inserted;
        try {
            inserted = ledger.insert(batch, taken);
        } catch (RuntimeException e) {
            permits.release(taken);
            throw e;
        }
        int claimed = inserted.claimed().size();
        permits.release(taken - claimed);
        if (inserted.inserted() > claimed) {
            backlog = true;
            nothingToProbe = false;
        }
        launch(inserted.claimed(), 0);
        return inserted.inserted();
    }

    /** Whether more should be taken in: there are permits, the gate is open, and nothing older waits for either. */
    public boolean hasRoom() {
        if (!running || draining || ledgerDown) {
            return false;
        }
        return gate.isOpen() ? permits.free() > 0 && !backlog : gate.isProbing() && nothingToProbe;
    }

    /** Tells whoever takes events in, again and again, whether there is room. */
    public void onRoom(Consumer<Boolean> listener) {
        listeners.add(listener);
    }

    /** Deliveries that this instance holds. */
    public int inFlight() {
        return permits.taken();
    }

    @Override
    public void start() {
        running = true;
        draining = false;
        Thread loop = Thread.ofPlatform().name("dispatcher").unstarted(this::run);
        thread = loop;
        loop.start();
    }

    /** Lets nothing new begin, waits for what is in flight, gives back what does not end in time. */
    @Override
    public void stop() {
        gate.close();
        sender.stop();
        draining = true;
        Thread loop = thread;
        if (loop != null) {
            try {
                if (!loop.join(properties.drainTimeout().plusSeconds(8))) {
                    log.error("the ledger could not be brought up to date; leases will run out instead");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Whether the loop is alive and reaches the database. */
    public boolean isHealthy() {
        Thread loop = thread;
        return loop != null && loop.isAlive() && !ledgerDown;
    }

    private void run() {
        while (!draining) {
            step();
        }
        long deadline = System.nanoTime() + properties.drainTimeout().toNanos();
        while (!held.isEmpty() && System.nanoTime() - deadline < 0) {
            step();
        }
        giveBackTheRest();
    }

    private void step() {
        try {
            collect();
            write();
            housekeep();
            claim();
            ledgerDown = false;
        } catch (DataAccessException | TransactionException e) {
            if (!ledgerDown) {
                log.warn("sending waits: {}", LedgerTrouble.describe(e));
            }
            ledgerDown = true;
            Waiting.pause(PAUSE_AFTER_FAILURE);
        } catch (RuntimeException e) {
            // a bug, but one that must not end the loop: rows would wait for ever
            log.error("dispatcher", e);
            Waiting.pause(PAUSE_AFTER_FAILURE);
        }
        boolean room = hasRoom();
        listeners.forEach(listener -> listener.accept(room));
    }

    private void collect() {
        try {
            Result first = results.poll(unwritten.isEmpty() ? untilSweep() : 0, TimeUnit.NANOSECONDS);
            if (first == null) {
                return;
            }
            unwritten.add(first);
            long until = System.nanoTime() + properties.resultLinger().toNanos();
            while (unwritten.size() < LARGEST_WRITE) {
                Result next = results.poll(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                unwritten.add(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            draining = true;
        }
    }

    private long untilSweep() {
        if (draining) {
            return DRAIN_STEP.toNanos();
        }
        return isHungry() ? 0 : Math.max(0, nextSweep - System.nanoTime());
    }

    private boolean isHungry() {
        return backlog && permits.free() > 0 && gate.isOpen();
    }

    private void write() {
        if (unwritten.isEmpty()) {
            return;
        }
        ledger.record(unwritten);
        Duration throttled = gate.throttledFor();
        if (throttled.isPositive() && unwritten.stream().anyMatch(Dispatcher::isThrottled)) {
            control.throttle(throttled);
        }
        for (Result result : unwritten) {
            held.remove(result.delivery().claim());
            metrics.written(result);
        }
        permits.release(unwritten.size());
        unwritten.clear();
    }

    private static boolean isThrottled(Result result) {
        return result instanceof Result.Retry retry && "throttled".equals(retry.outcome());
    }

    private void housekeep() {
        long now = System.nanoTime();
        if (now - nextHousekeeping < 0) {
            return;
        }
        SendingControl.State state = control.read();
        gate.pause(state.paused());
        if (state.throttled().isPositive()) {
            gate.throttle(state.throttled());
        }
        List<Held> old = held.values().stream().filter(h -> now - h.renewAt > 0).toList();
        if (!old.isEmpty()) {
            int renewed = ledger.renew(old.stream().map(h -> h.delivery).toList());
            old.forEach(h -> h.renewAt = now + renewal());
            if (renewed < old.size()) {
                log.warn(
                        "{} of {} leases could not be renewed: somebody else has taken over",
                        old.size() - renewed,
                        old.size());
            }
        }
        if (!draining && now - nextLookForUnknown >= 0) {
            nextLookForUnknown = now + LOOK_FOR_UNKNOWN.toNanos();
            int unknown = ledger.giveUpUnknown();
            if (unknown > 0) {
                log.error("{} deliveries given up with their outcome unknown", unknown);
            }
        }
        nextHousekeeping = now + HOUSEKEEPING.toNanos();
    }

    private void claim() {
        if (draining || (System.nanoTime() - nextSweep < 0 && !isHungry())) {
            return;
        }
        nextSweep = System.nanoTime() + properties.sweepInterval().toNanos();
        if (gate.isOpen()) {
            nothingToProbe = false;
            int taken = permits.takeUpTo(LARGEST_CLAIM);
            int claimed = claim(taken, 0);
            if (taken > 0) {
                backlog = claimed == taken;
            }
        } else {
            backlog = true;
            int probes = gate.takeProbes(permits.free());
            if (probes > 0) {
                int taken = permits.takeUpTo(probes);
                gate.returnProbes(probes - taken);
                nothingToProbe = claim(taken, taken) == 0;
            }
        }
    }

    private int claim(int taken, int probes) {
        List<Delivery> claimed = List.of();
        try {
            if (taken > 0) {
                claimed = ledger.claimDue(taken);
            }
        } finally {
            permits.release(taken - claimed.size());
            gate.returnProbes(Math.max(0, probes - claimed.size()));
        }
        launch(claimed, probes);
        return claimed.size();
    }

    private void launch(List<Delivery> claimed, int probes) {
        metrics.claimed(claimed.size());
        int n = 0;
        for (Delivery delivery : claimed) {
            boolean probe = n++ < probes;
            held.put(delivery.claim(), new Held(delivery, System.nanoTime() + renewal()));
            Thread.ofVirtual().name("sender").start(() -> send(delivery, probe));
        }
    }

    private void send(Delivery delivery, boolean probe) {
        Result result;
        try {
            result = sender.attempt(delivery, probe);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result = cutOff(delivery);
        } catch (RuntimeException | Error e) {
            log.error("sender of an attempt failed", e);
            result = new Result.Retry(
                    delivery,
                    "retriable",
                    "internal: " + e.getClass().getSimpleName(),
                    Duration.ofSeconds(10),
                    true,
                    false);
        }
        results.add(result);
    }

    /** Accepted or not is unknown; the attempt is given back and the key stays. */
    private static Result cutOff(Delivery delivery) {
        return new Result.Retry(delivery, "retriable", "cut off by a stop", Duration.ZERO, false, false);
    }

    private void giveBackTheRest() {
        List<Result> rest = new ArrayList<>(unwritten);
        results.drainTo(rest);
        rest.forEach(result -> held.remove(result.delivery().claim()));
        held.values().forEach(one -> rest.add(cutOff(one.delivery)));
        if (rest.isEmpty()) {
            return;
        }
        log.info("{} deliveries in flight are given back", rest.size());
        try {
            ledger.record(rest);
            rest.forEach(metrics::written);
        } catch (DataAccessException | TransactionException e) {
            log.error("leases will run out, since at the stop: {}", LedgerTrouble.describe(e));
        }
    }

    private long renewal() {
        return properties.lease().toNanos() / 3;
    }
}
