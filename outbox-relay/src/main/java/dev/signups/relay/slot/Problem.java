package dev.signups.relay.slot;

/**
 * Something that keeps the relay from working, or will.
 *
 * @param severity what it means
 * @param what what is wrong, in one line
 * @param mend the statement or setting that mends it
 */
public record Problem(Severity severity, String what, String mend) {

    /** How bad a problem is. */
    public enum Severity {
        /** The relay cannot work, and waiting does not help. */
        FATAL,
        /** The relay cannot work now; it waits. */
        WAITING,
        /** The relay works; something else is at risk. */
        WARNING
    }

    /** One line. */
    public String line() {
        return what + " -> " + mend;
    }
}
