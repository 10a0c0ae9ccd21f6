package dev.signups.relay.publish;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * How far the log is published: written in the Kafka transaction that carries the events, so that both are there or
 * neither is.
 *
 * @param systemIdentifier the PostgreSQL cluster whose log this is
 * @param lastEnd end LSN of the last transaction of which all is published
 * @param openTx the transaction after it, if part of it is published, else 0
 * @param openCount how many rows of {@code openTx} are published
 * @param confirmed the highest LSN that the slot may have been told; written before it is told
 * @param publication fingerprint of the publication that the log was filtered by
 */
public record PublishedPosition(
        String systemIdentifier, long lastEnd, long openTx, long openCount, long confirmed, String publication) {

    private static final String RECOVERING = "recovering";

    /**
     * A position that fits no cluster: while a gap is being closed, it tells one step from the next, and a relay that
     * starts there begins the closing again.
     *
     * @param step different each time
     */
    public static PublishedPosition recovering(long step) {
        return new PublishedPosition(RECOVERING, step, 0, 0, 0, "");
    }

    /** Whether it is of the kind that {@link #recovering} makes. */
    @JsonIgnore
    public boolean isRecovering() {
        return systemIdentifier.equals(RECOVERING);
    }

    PublishedPosition withConfirmed(long lsn) {
        return new PublishedPosition(
                systemIdentifier, lastEnd, openTx, openCount, Math.max(confirmed, lsn), publication);
    }
}
