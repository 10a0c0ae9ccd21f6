package dev.signups.service.signup;

import dev.signups.service.outbox.TraceParent;
import java.time.Instant;

/**
 * Commits a user together with whatever makes the welcome e-mail follow: the one decision in which the article's stages
 * differ.
 */
public interface Registration {

    /**
     * Stores the user.
     *
     * @return the transaction's time
     * @throws AddressTakenException when another user has the address; nothing is written then
     */
    Instant register(NewUser user, TraceParent traceParent);
}
