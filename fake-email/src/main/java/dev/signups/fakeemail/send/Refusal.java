package dev.signups.fakeemail.send;

import dev.signups.fakeemail.log.Result;

/** The answers that are not a 202, as problem documents (RFC 9457). */
enum Refusal {
    /** The body is no mail. */
    INVALID(400, "invalid-mail", "The body is not a mail", Result.INVALID),
    /** The key cannot be used. */
    INVALID_KEY(
            400, "invalid-idempotency-key", "Idempotency-Key must be 1 to 255 printable characters", Result.INVALID),
    /** The body is too long. */
    TOO_LARGE(413, "too-large", "The body is too large", Result.INVALID),
    /** The body is not JSON. */
    NOT_JSON(415, "not-json", "Content-Type must be application/json", Result.INVALID),
    /** The API key is missing or wrong. */
    UNAUTHORISED(401, "unauthorised", "The API key is missing or wrong", Result.UNAUTHORISED),
    /** Another mail has this key. Permanent: the client has a bug. */
    KEY_REUSED(409, "idempotency-key-reused", "Idempotency-Key belongs to another mail", Result.KEY_REUSED),
    /** The first send with this key has not ended. Passes by itself: try again, with the same key. */
    KEY_IN_PROGRESS(
            409,
            "idempotency-key-in-progress",
            "A send with this Idempotency-Key is in progress",
            Result.KEY_IN_PROGRESS),
    /** The body stopped half-way. Not counted: there was no send. */
    INCOMPLETE(408, "incomplete", "The body did not arrive in time", Result.INVALID),
    /** Only POST is known. Not a send: it is not counted. */
    NOT_POST(405, "not-post", "Mails are sent with POST", Result.INVALID),
    /** The address is rejected for good. */
    ADDRESS_REJECTED(422, "address-rejected", "The address is rejected", Result.ADDRESS_REJECTED),
    /** Too many sends in this second. */
    RATE_LIMITED(429, "rate-limited", "Too many sends", Result.RATE_LIMITED),
    /** Not accepted: one of those failures. */
    FAILED(503, "unavailable", "The mail could not be taken", Result.FAILED),
    /** Not accepted: nothing works. */
    OUTAGE(503, "outage", "The provider is down", Result.OUTAGE),
    /** A bug of ours. */
    BROKEN(500, "internal", "The provider has a bug", Result.FAILED),
    /** Nothing more can be remembered. */
    LOG_FULL(507, "log-full", "The log is full; DELETE /api/sends clears it", Result.LOG_FULL);

    private final int status;
    private final String type;
    private final String title;
    private final Result result;

    Refusal(int status, String type, String title, Result result) {
        this.status = status;
        this.type = "urn:fake-email:problem:" + type;
        this.title = title;
        this.result = result;
    }

    int status() {
        return status;
    }

    String type() {
        return type;
    }

    String title() {
        return title;
    }

    Result result() {
        return result;
    }
}
