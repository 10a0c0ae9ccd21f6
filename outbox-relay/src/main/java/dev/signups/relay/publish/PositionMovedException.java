package dev.signups.relay.publish;

/** Another relay has published since this one read the position: this one must start again from what is stored. */
public final class PositionMovedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message both positions */
    public PositionMovedException(String message) {
        super(message);
    }
}
