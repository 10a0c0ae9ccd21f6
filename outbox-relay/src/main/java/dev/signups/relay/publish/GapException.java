package dev.signups.relay.publish;

/** The log does not continue where the published position ends: rows in between have to be found by comparison. */
public final class GapException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what does not fit, with both positions */
    public GapException(String message) {
        super(message);
    }
}
