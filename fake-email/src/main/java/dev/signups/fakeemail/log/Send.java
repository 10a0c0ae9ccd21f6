package dev.signups.fakeemail.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One request to send, from its arrival on. Everything that changes is guarded by its book. */
public final class Send {

    final Book book;
    final @Nullable Recipient recipient;
    final Instant arrivedAt;
    final @Nullable String key;

    @Nullable Result result;

    @Nullable String messageId;

    /** The next send to the same address. */
    @Nullable Send next;

    Send(Book book, @Nullable Recipient recipient, Instant arrivedAt, @Nullable String key) {
        this.book = book;
        this.recipient = recipient;
        this.arrivedAt = arrivedAt;
        this.key = key;
    }

    /** Whether there is no room to remember the address, so that nothing may be accepted. */
    public boolean isUnrecorded() {
        return recipient == null;
    }

    /** Ends the send; exactly once. */
    public void end(Result how, @Nullable String message, Instant at) {
        book.end(this, how, message, at);
    }

    public Instant arrivedAt() {
        return arrivedAt;
    }

    public @Nullable String key() {
        return key;
    }
}
