package dev.signups.email.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one call to the provider. Reasons hold no personal data. */
public sealed interface SendOutcome {

    /** The name of the outcome in metrics and in the ledger. */
    String label();

    /**
     * The provider has it.
     *
     * @param messageId the provider's name for the message, if it gave one
     */
    record Accepted(@Nullable String messageId) implements SendOutcome {
        @Override
        public String label() {
            return "accepted";
        }
    }

    /**
     * It may go better next time.
     *
     * @param reason for the operator
     * @param retryAfter the least wait the provider asked for, or null
     * @param doubt whether the provider may have it all the same
     */
    record Retriable(String reason, @Nullable Duration retryAfter, Doubt doubt) implements SendOutcome {
        @Override
        public String label() {
            return "retriable";
        }
    }

    /**
     * It will never go: the provider refuses this message.
     *
     * @param reason for the operator
     * @param keyTaken whether the provider knows the key from another request, which it may have accepted
     */
    record Permanent(String reason, boolean keyTaken) implements SendOutcome {
        @Override
        public String label() {
            return "permanent";
        }
    }

    /**
     * The provider wants no calls at all for a while.
     *
     * @param retryAfter how long
     */
    record Throttled(Duration retryAfter) implements SendOutcome {
        @Override
        public String label() {
            return "throttled";
        }
    }

    /**
     * The provider does not accept our credential: no message will go until somebody mends that.
     *
     * @param reason for the operator
     */
    record Unauthorised(String reason) implements SendOutcome {
        @Override
        public String label() {
            return "unauthorised";
        }
    }

    /** How sure a failed call is to have left nothing behind. */
    enum Doubt {
        /** No connection came about: the provider has not seen the message. */
        NOT_REACHED,
        /** The same key is being worked on: the provider has seen the message and has not decided. */
        IN_PROGRESS,
        /** The call was cut off or answered by an error after the provider may have accepted. */
        MAY_HAVE_ACCEPTED
    }
}
