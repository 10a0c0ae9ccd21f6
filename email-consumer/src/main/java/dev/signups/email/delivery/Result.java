package dev.signups.email.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a sender has to tell the ledger about a delivery that it holds. Errors hold no personal data. */
sealed interface Result {

    /** The delivery. */
    Delivery delivery();

    /** The provider accepted. */
    record Sent(Delivery delivery, @Nullable String messageId) implements Result {}

    /**
     * Not this time.
     *
     * @param outcome the label of the outcome
     * @param delay how long until it is due again
     * @param counted whether the attempt counts; else it is given back
     * @param refused whether the provider certainly has not accepted in this attempt
     */
    record Retry(
            Delivery delivery, String outcome, @Nullable String error, Duration delay, boolean counted, boolean refused)
            implements Result {}

    /**
     * Never.
     *
     * @param outcome the label of the outcome
     * @param refused whether the provider certainly has not accepted in this attempt
     */
    record Failed(Delivery delivery, String outcome, String error, boolean refused) implements Result {}

    /** Not tried: the gate was shut. The row is as if it had not been claimed. */
    static Retry untried(Delivery delivery, Duration delay) {
        return new Retry(delivery, "untried", null, delay, false, true);
    }
}
