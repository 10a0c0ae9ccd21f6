package dev.signups.email.delivery;

import java.time.Duration;

/** The wait before the next try of a loop that nobody waits for. */
final class Waiting {

    private Waiting() {}

    static void pause(Duration wait) {
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
