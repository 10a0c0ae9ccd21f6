package dev.signups.fakeemail.send;

import dev.signups.fakeemail.fault.Decision;
import dev.signups.fakeemail.fault.Decision.Fate;
import dev.signups.fakeemail.fault.FaultPlan;
import dev.signups.fakeemail.fault.FaultSettings;
import dev.signups.fakeemail.log.KeyMemory;
import dev.signups.fakeemail.log.Result;
import dev.signups.fakeemail.log.Send;
import dev.signups.fakeemail.log.SendLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Takes a mail the way a provider does: front door, address, idempotency key, then the slow part, then the fate that was
 * decided.
 *
 * <p>The mail is accepted at one instant, at the end of the latency: before it a repeated key is in progress, from it on
 * the key is replayed, whatever the client was told.
 */
@Component
class Provider {

    private final FaultPlan plan;
    private final SendLog log;
    private final KeyMemory keys;
    private final MessageIds messageIds;
    private final SendJournal journal;
    private final Delays delays;
    private final InstantSource clock;

    Provider(
            FaultPlan plan,
            SendLog log,
            KeyMemory keys,
            MessageIds messageIds,
            SendJournal journal,
            Delays delays,
            InstantSource clock) {
        this.plan = plan;
        this.log = log;
        this.keys = keys;
        this.messageIds = messageIds;
        this.journal = journal;
        this.delays = delays;
        this.clock = clock;
    }

    void take(Incoming incoming, Reply reply) {
        Mail mail = incoming.mail();
        var attempt = new Attempt(log.arrive(mail == null ? null : mail.to(), incoming.key(), incoming.at()), reply);
        switch (plan.admit(incoming.authorization())) {
            case OUTAGE -> attempt.refuse(Refusal.OUTAGE);
            case UNAUTHORISED -> attempt.refuse(Refusal.UNAUTHORISED);
            case RATE_LIMITED -> attempt.refuse(Refusal.RATE_LIMITED, Map.of(), plan.retryAfter());
            case OPEN -> {
                if (mail == null) {
                    attempt.refuse(Objects.requireNonNull(incoming.fault()), incoming.errors(), null);
                } else {
                    lookAt(mail, incoming.key(), attempt);
                }
            }
        }
    }

    private void lookAt(Mail mail, @Nullable String key, Attempt attempt) {
        String to = Objects.requireNonNull(mail.to());
        FaultSettings settings = plan.settings();
        if (attempt.send.isUnrecorded()) {
            attempt.refuse(Refusal.LOG_FULL);
        } else if (plan.rejects(to)) {
            attempt.refuse(Refusal.ADDRESS_REJECTED);
        } else if (key == null || !settings.honourIdempotencyKeys()) {
            attempt.start(plan.next(to), null);
        } else {
            Duration timeLimit = Duration.ofSeconds(settings.idempotencyKeyTtlSeconds());
            switch (keys.lookUp(key, mail.fingerprint(), timeLimit)) {
                case KeyMemory.Claim claim -> attempt.start(plan.next(to), claim);
                case KeyMemory.Lookup.Known(String messageId) -> attempt.replay(messageId);
                case KeyMemory.Lookup.InProgress _ -> attempt.refuse(Refusal.KEY_IN_PROGRESS, Map.of(), "1");
                case KeyMemory.Lookup.OtherMail _ -> attempt.refuse(Refusal.KEY_REUSED);
                case KeyMemory.Lookup.NoRoom _ -> attempt.refuse(Refusal.LOG_FULL);
            }
        }
    }

    /** One send on its way to an answer. */
    private final class Attempt {

        private final Send send;
        private final Reply reply;

        Attempt(Send send, Reply reply) {
            this.send = send;
            this.reply = reply;
        }

        void start(Decision decision, KeyMemory.@Nullable Claim claim) {
            delays.after(decision.latency(), () -> {
                try {
                    finish(decision.fate(), claim);
                } catch (RuntimeException e) {
                    // on the timer's thread nobody would hear of it, and the client would wait for ever
                    if (claim != null) {
                        claim.release();
                    }
                    reply.failed(e);
                }
            });
        }

        private void finish(Fate fate, KeyMemory.@Nullable Claim claim) {
            if (fate == Fate.FAIL) {
                if (claim != null) {
                    claim.release();
                }
                refuse(Refusal.FAILED);
                return;
            }
            String messageId = messageIds.next();
            if (claim != null) {
                claim.accept(messageId);
            }
            var accepted = new Answer.Accepted(messageId, false);
            switch (fate) {
                case ACCEPT -> end(Result.ACCEPTED, 202, messageId, accepted);
                case ACCEPT_THEN_503 ->
                    end(Result.ACCEPTED_THEN_503, 503, messageId, Answer.Refused.because(Refusal.FAILED));
                case ACCEPT_THEN_RESET -> end(Result.ACCEPTED_THEN_RESET, 0, messageId, new Answer.Reset());
                case ACCEPT_THEN_HANG -> {
                    record(Result.ACCEPTED_THEN_HANG, 0, messageId);
                    Duration hang = Duration.ofMillis(plan.settings().hangMs());
                    delays.after(hang, () -> reply.with(accepted));
                }
                case FAIL -> throw new IllegalStateException("handled above");
            }
        }

        void replay(String messageId) {
            end(Result.REPLAYED, 202, messageId, new Answer.Accepted(messageId, true));
        }

        void refuse(Refusal why) {
            refuse(why, Map.of(), null);
        }

        void refuse(Refusal why, Map<String, String> errors, @Nullable String retryAfter) {
            end(why.result(), why.status(), null, new Answer.Refused(why, errors, retryAfter));
        }

        private void end(Result result, int status, @Nullable String messageId, Answer answer) {
            record(result, status, messageId);
            reply.with(answer);
        }

        private void record(Result result, int status, @Nullable String messageId) {
            send.end(result, messageId, clock.instant());
            journal.write(send, result, status);
        }
    }
}
