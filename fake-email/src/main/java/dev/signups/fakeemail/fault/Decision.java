package dev.signups.fakeemail.fault;

import java.time.Duration;

/** What will become of one send, decided before it begins. */
public record Decision(Duration latency, Fate fate) {

    /** The ways a send can end. */
    public enum Fate {
        /** Accepted and answered 202. */
        ACCEPT,
        /** Answered 503, not accepted. */
        FAIL,
        /** Accepted, but answered 503. */
        ACCEPT_THEN_503,
        /** Accepted, but the connection is reset. */
        ACCEPT_THEN_RESET,
        /** Accepted, but answered too late. */
        ACCEPT_THEN_HANG
    }
}
