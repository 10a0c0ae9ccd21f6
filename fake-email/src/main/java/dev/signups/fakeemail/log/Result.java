package dev.signups.fakeemail.log;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a send ended, and which counter it belongs to. */
public enum Result {
    /** Accepted and answered 202. */
    ACCEPTED(Tally.ACCEPTED),
    /** Accepted, answered 503. */
    ACCEPTED_THEN_503(Tally.ACCEPTED),
    /** Accepted, connection reset. */
    ACCEPTED_THEN_RESET(Tally.ACCEPTED),
    /** Accepted, answered too late. */
    ACCEPTED_THEN_HANG(Tally.ACCEPTED),
    /** A known key with the same mail: the answer it got the first time. */
    REPLAYED(Tally.REPLAYED),
    /** 503, not accepted. */
    FAILED(Tally.FAILED),
    /** 503 at once, not accepted: an outage. */
    OUTAGE(Tally.FAILED),
    /** 507, not accepted: no room left to remember it. */
    LOG_FULL(Tally.FAILED),
    /** 400, 413 or 415: not a mail. */
    INVALID(Tally.REJECTED),
    /** 401: the API key. */
    UNAUTHORISED(Tally.REJECTED),
    /** 422: an address that is rejected for good. */
    ADDRESS_REJECTED(Tally.REJECTED),
    /** 409: a known key with another mail. */
    KEY_REUSED(Tally.REJECTED),
    /** 409: the first send with this key has not ended yet. */
    KEY_IN_PROGRESS(Tally.REJECTED),
    /** 429. */
    RATE_LIMITED(Tally.RATE_LIMITED);

    private final Tally tally;
    private final String label = name().toLowerCase(Locale.ROOT);

    Result(Tally tally) {
        this.tally = tally;
    }

    Tally tally() {
        return tally;
    }

    /** The name in JSON, logs and metrics. */
    @JsonValue
    public String label() {
        return label;
    }

    /** The counters of {@link SendCounts}. */
    enum Tally {
        /** The provider has taken the mail. */
        ACCEPTED,
        /** Answered from memory. */
        REPLAYED,
        /** 5xx, nothing taken. */
        FAILED,
        /** 4xx other than 429, nothing taken. */
        REJECTED,
        /** 429, nothing taken. */
        RATE_LIMITED
    }
}
