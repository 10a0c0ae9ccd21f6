package dev.signups.fakeemail.send;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What goes back to the client. */
sealed interface Answer {

    /** 202. */
    record Accepted(String messageId, boolean replayed) implements Answer {}

    /** A problem document. */
    record Refused(
            Refusal why,
            Map<String, String> errors,
            @Nullable String retryAfter) implements Answer {

        static Refused because(Refusal why) {
            return new Refused(why, Map.of(), null);
        }
    }

    /** Nothing: the connection breaks. */
    record Reset() implements Answer {}
}
