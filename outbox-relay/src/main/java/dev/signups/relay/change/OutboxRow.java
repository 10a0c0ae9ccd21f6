package dev.signups.relay.change;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox table, as it was inserted. Nothing is checked here: a row that cannot be published becomes a dead
 * letter, and must get that far.
 *
 * @param id the event's id, a UUID as text
 * @param aggregateType names the topic
 * @param aggregateId the record's key
 * @param type the event's type
 * @param payload the event, as text, byte for byte as stored
 * @param traceparent W3C trace context of the request that wrote the row
 * @param createdAt when the row was written
 */
public record OutboxRow(
        String id,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String type,
        @Nullable String payload,
        @Nullable String traceparent,
        @Nullable Instant createdAt) {

    /** A rough size in bytes, to bound what is held in memory. */
    public int weight() {
        return 256 + (payload == null ? 0 : payload.length() * 2);
    }

    /** Leaves the payload and the key out: they may hold personal data. */
    @Override
    public String toString() {
        return "OutboxRow[id=" + id + "]";
    }
}
