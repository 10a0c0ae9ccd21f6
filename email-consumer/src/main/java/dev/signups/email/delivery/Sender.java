package dev.signups.email.delivery;

import dev.signups.email.delivery.SendingGate.Entry;
import dev.signups.email.provider.Email;
import dev.signups.email.provider.EmailProvider;
import dev.signups.email.provider.SendOutcome;
import dev.signups.email.provider.SendOutcome.Accepted;
import dev.signups.email.provider.SendOutcome.Doubt;
import dev.signups.email.provider.SendOutcome.Permanent;
import dev.signups.email.provider.SendOutcome.Retriable;
import dev.signups.email.provider.SendOutcome.Throttled;
import dev.signups.email.provider.SendOutcome.Unauthorised;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** One attempt: passes the gate, calls the provider, and turns its answer into the delivery's next state. */
@Component
class Sender {

    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private final EmailProvider provider;
    private final EmailTemplates templates;
    private final SendingGate gate;
    private final DeliveryMetrics metrics;
    private final RetrySchedule schedule;
    private final RateLimit rateLimit;
    private final CountDownLatch stopping = new CountDownLatch(1);

    Sender(
            EmailProvider provider,
            EmailTemplates templates,
            SendingGate gate,
            DeliveryMetrics metrics,
            DeliveryProperties properties) {
        this.provider = provider;
        this.templates = templates;
        this.gate = gate;
        this.metrics = metrics;
        this.schedule = new RetrySchedule(
                properties.attempts(),
                properties.backoffBase(),
                properties.backoffCap(),
                RandomGenerator.of("L64X128MixRandom"));
        this.rateLimit = new RateLimit(properties.rateLimit(), System.nanoTime());
    }

    /** Wakes those who wait for the rate limit: they find the gate closed. */
    void stop() {
        stopping.countDown();
    }

    /**
     * Makes the attempt. Holds no database connection.
     *
     * @param probe whether the delivery was claimed to try a gate that is shut
     */
    Result attempt(Delivery delivery, boolean probe) throws InterruptedException {
        if (delivery.suppressed()) {
            if (probe) {
                gate.returnProbes(1);
            }
            return new Result.Failed(delivery, "suppressed", "address suppressed", true);
        }
        Email email;
        try {
            email = templates.render(delivery.id().emailType(), delivery.recipient(), delivery.arguments());
        } catch (RuntimeException e) {
            // a fault of template or data; the message might hold either, so only the kind is kept
            log.atError()
                    .addKeyValue("emailType", delivery.id().emailType())
                    .addKeyValue("kind", e.getClass().getSimpleName())
                    .log("e-mail cannot be written");
            if (probe) {
                gate.returnProbes(1);
            }
            return new Result.Failed(
                    delivery, "permanent", "cannot be written: " + e.getClass().getSimpleName(), true);
        }
        long wait = rateLimit.reserve(System.nanoTime());
        if (wait > 0) {
            boolean woken = stopping.await(wait, TimeUnit.NANOSECONDS);
            log.trace("waited for the rate limit, woken by a stop: {}", woken);
        }
        Entry entry = gate.enter(probe);
        if (entry == null) {
            return Result.untried(delivery, gate.throttledFor());
        }
        return outcome(delivery, entry, call(delivery, email));
    }

    private SendOutcome call(Delivery delivery, Email email) throws InterruptedException {
        metrics.calling(delivery);
        long start = System.nanoTime();
        SendOutcome outcome = null;
        try {
            outcome = provider.send(email, delivery.key());
        } finally {
            if (outcome == null) {
                gate.recordBug();
            }
        }
        gate.record(delivery.id(), outcome, System.nanoTime() - start);
        metrics.called(outcome);
        log.atDebug()
                .addKeyValue("userId", delivery.id().userId())
                .addKeyValue("emailType", delivery.id().emailType())
                .addKeyValue("attempt", delivery.attempts())
                .addKeyValue("outcome", outcome.label())
                .log("provider answered");
        return outcome;
    }

    private Result outcome(Delivery delivery, Entry entry, SendOutcome outcome) {
        return switch (outcome) {
            case Accepted accepted -> new Result.Sent(delivery, accepted.messageId());
            case Permanent permanent ->
                new Result.Failed(delivery, outcome.label(), permanent.reason(), !permanent.keyTaken());
            case Throttled throttled ->
                new Result.Retry(delivery, outcome.label(), "HTTP 429", throttled.retryAfter(), false, true);
            case Unauthorised unauthorised ->
                new Result.Retry(delivery, outcome.label(), unauthorised.reason(), Duration.ZERO, false, true);
            case Retriable retriable -> retry(delivery, entry, retriable);
        };
    }

    private Result retry(Delivery delivery, Entry entry, Retriable outcome) {
        boolean refused = outcome.doubt() == Doubt.NOT_REACHED;
        // a probe tells about the provider, and so does a connection that does not come about: neither is the row's
        // fault
        boolean counted = entry == Entry.ORDINARY && !refused;
        if (counted && schedule.isLast(delivery.attempts())) {
            return new Result.Failed(delivery, outcome.label(), outcome.reason(), false);
        }
        Duration wait = outcome.doubt() == Doubt.IN_PROGRESS && outcome.retryAfter() != null
                ? outcome.retryAfter()
                : longer(schedule.waitAfter(delivery.attempts()), outcome.retryAfter());
        return new Result.Retry(delivery, outcome.label(), outcome.reason(), wait, counted, refused);
    }

    private static Duration longer(Duration wait, @Nullable Duration floor) {
        return floor != null && floor.compareTo(wait) > 0 ? floor : wait;
    }
}
