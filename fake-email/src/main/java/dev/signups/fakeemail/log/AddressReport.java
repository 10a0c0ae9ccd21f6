package dev.signups.fakeemail.log;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one address was sent.
 *
 * @param requests all its sends, also those no longer listed
 * @param sends the latest, at most 100, oldest first
 */
record AddressReport(
        String to,
        int requests,
        int accepted,
        @Nullable Instant firstRequestAt,
        @Nullable Instant firstAcceptedAt,
        List<Entry> sends) {

    /** No address in logs. */
    @Override
    public String toString() {
        return "AddressReport[requests=" + requests + ", accepted=" + accepted + "]";
    }

    /** One send; {@code result} is null as long as it has not ended. */
    record Entry(
            Instant at,
            @Nullable String key,
            @Nullable Result result,
            @Nullable String messageId) {}
}
