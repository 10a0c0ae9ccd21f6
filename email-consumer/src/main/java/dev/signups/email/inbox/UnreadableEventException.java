package dev.signups.email.inbox;

/** An event that cannot be read, and will not be readable later. The message holds no value from the event. */
public class UnreadableEventException extends Exception {

    private static final long serialVersionUID = 1;

    /** An event that cannot be read, with the reason for the operator. */
    public UnreadableEventException(String reason) {
        super(reason);
    }
}
