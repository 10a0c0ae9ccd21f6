package dev.signups.relay.change;

import java.util.List;

/** Takes what an engine reads, batch after batch, on one thread. */
@FunctionalInterface
public interface ChangeHandler {

    /**
     * Handles a batch to its end. The next batch comes only after this method returned; if it throws, none does.
     *
     * @param changes the next steps of the log
     * @return the place up to which the server may forget the log, or 0 for no news
     * @throws InterruptedException when the engine is being stopped
     */
    long handle(List<Change> changes) throws InterruptedException;
}
