package dev.signups.fakeemail.log;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The memory of idempotency keys: for each the mail's fingerprint and, once accepted, the message id.
 *
 * <p>A key is taken from the first send's arrival. If that send fails it is free again; if it is accepted it stays
 * taken for the time limit. It is never forgotten sooner: when there is no room, new keys are refused instead.
 */
@Component
public class KeyMemory {

    private final InstantSource clock;
    private final int capacity;
    private final Map<String, Claim> claims = new LinkedHashMap<>();

    @Autowired
    KeyMemory(LogProperties properties, InstantSource clock) {
        this(properties.effectiveCapacity(), clock);
    }

    KeyMemory(int capacity, InstantSource clock) {
        this.capacity = capacity;
        this.clock = clock;
    }

    /** What is known of this key; unknown keys are now taken by the caller, who must accept or release. */
    public synchronized Lookup lookUp(String key, Fingerprint fingerprint, Duration timeLimit) {
        Instant now = clock.instant();
        Claim known = claims.get(key);
        if (known != null && known.isForgotten(now, timeLimit)) {
            claims.remove(key);
            known = null;
        }
        if (known == null) {
            return claim(key, fingerprint, now, timeLimit);
        }
        if (!known.fingerprint.equals(fingerprint)) {
            return new Lookup.OtherMail();
        }
        return known.messageId == null ? new Lookup.InProgress() : new Lookup.Known(known.messageId);
    }

    private Lookup claim(String key, Fingerprint fingerprint, Instant now, Duration timeLimit) {
        forgetOldest(now, timeLimit);
        if (claims.size() >= capacity) {
            return new Lookup.NoRoom();
        }
        var claim = new Claim(key, fingerprint);
        claims.put(key, claim);
        return claim;
    }

    private void forgetOldest(Instant now, Duration timeLimit) {
        for (Iterator<Claim> oldestFirst = claims.values().iterator(); oldestFirst.hasNext(); ) {
            if (!oldestFirst.next().isForgotten(now, timeLimit)) {
                return;
            }
            oldestFirst.remove();
        }
    }

    synchronized int size() {
        return claims.size();
    }

    /** Forgets every key; sends still in flight keep claims that nobody looks up any more. */
    synchronized void clear() {
        claims.clear();
    }

    private synchronized void accept(Claim claim, String messageId) {
        claim.messageId = messageId;
        claim.acceptedAt = clock.instant();
    }

    private synchronized void release(Claim claim) {
        if (claim.messageId == null) {
            claims.remove(claim.key, claim);
        }
    }

    /** What is known of a key. */
    public sealed interface Lookup {

        /** Accepted before: answer with this message id again. */
        record Known(String messageId) implements Lookup {}

        /** The first send with this key has not ended. */
        record InProgress() implements Lookup {}

        /** The key belongs to another mail. */
        record OtherMail() implements Lookup {}

        /** Unknown, and no room to remember it. */
        record NoRoom() implements Lookup {}
    }

    /** A key taken by one send. */
    public final class Claim implements Lookup {

        private final String key;
        private final Fingerprint fingerprint;
        private @Nullable String messageId;
        private @Nullable Instant acceptedAt;

        private Claim(String key, Fingerprint fingerprint) {
            this.key = key;
            this.fingerprint = fingerprint;
        }

        private boolean isForgotten(Instant now, Duration timeLimit) {
            return acceptedAt != null && !now.isBefore(acceptedAt.plus(timeLimit));
        }

        /** Binds the key to the accepted mail. */
        public void accept(String message) {
            KeyMemory.this.accept(this, message);
        }

        /** Frees the key, unless the mail has been accepted. */
        public void release() {
            KeyMemory.this.release(this);
        }
    }
}
