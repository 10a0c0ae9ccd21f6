package dev.signups.relay.relay;

/** This relay no longer leads, or cannot be sure that it does. */
final class LeadershipLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeadershipLostException(String message) {
        super(message);
    }
}
