package dev.signups.service.signup;

import dev.signups.service.id.TimeOrderedIds;
import dev.signups.service.outbox.OutboxEvent;
import dev.signups.service.outbox.TraceParent;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Commits the user and the event; the e-mail is whoever's work the event finds. */
@Component
@ConditionalOnProperty(name = "signup.welcome-email", havingValue = "outbox", matchIfMissing = true)
class OutboxRegistration implements Registration {

    private static final Logger log = LoggerFactory.getLogger(OutboxRegistration.class);

    private final UserRepository users;
    private final TimeOrderedIds ids;

    OutboxRegistration(UserRepository users, TimeOrderedIds ids) {
        this.users = users;
        this.ids = ids;
    }

    @Override
    public Instant register(NewUser user, TraceParent traceParent) {
        OutboxEvent event = new OutboxEvent(
                ids.next(),
                UserSignedUp.AGGREGATE_TYPE,
                user.id().toString(),
                UserSignedUp.TYPE,
                new UserSignedUp(user.id(), user.email(), user.firstName(), user.lastName()).toJson(),
                traceParent);
        Instant createdAt = users.insert(user, event);
        log.debug("Signed up: userId={} eventId={} traceparent={}", user.id(), event.id(), traceParent.value());
        return createdAt;
    }
}
