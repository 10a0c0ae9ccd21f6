package dev.signups.email.delivery;

/** Where a delivery stands. */
public enum DeliveryStatus {
    /** Waits for its next attempt, due at {@code next_attempt_at}. */
    PENDING,
    /** A sender holds it by a token until its lease runs out. */
    SENDING,
    /** The provider has accepted it; nothing changes it any more. */
    SENT,
    /** Given up, with the reason; only an operator starts it again. */
    FAILED
}
