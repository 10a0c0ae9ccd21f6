package dev.signups.fakeemail.send;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request to send as it came in: with its mail, or with what is wrong with it. */
record Incoming(
        Instant at,
        @Nullable String key,
        @Nullable String authorization,
        @Nullable Mail mail,
        @Nullable Refusal fault,
        Map<String, String> errors) {

    /** No credential, no address. */
    @Override
    public String toString() {
        return "Incoming[at=" + at + ", fault=" + fault + "]";
    }
}
