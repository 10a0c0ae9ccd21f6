package dev.signups.service.outbox;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An event to be published as {@code outbox.event.<aggregateType>} with key {@code aggregateId}.
 *
 * @param id unique among all events; subscribers recognise a repetition by it
 * @param payload a JSON object with at least one member and without {@code occurredAt}: the outbox adds that last, from
 *     the transaction's time
 * @param traceParent the trace of the request, if it is to be passed on
 */
public record OutboxEvent(
        UUID id,
        String aggregateType,
        String aggregateId,
        String type,
        String payload,
        @Nullable TraceParent traceParent) {

    private static final Pattern TOPIC_SAFE = Pattern.compile("[a-z][a-z0-9._-]{0,99}");

    public OutboxEvent {
        if (!TOPIC_SAFE.matcher(aggregateType).matches()) {
            throw new IllegalArgumentException("the aggregate type becomes a part of a topic's name: " + aggregateType);
        }
        if (aggregateId.isBlank() || type.isBlank()) {
            throw new IllegalArgumentException("an event needs an aggregate and a type");
        }
        if (!payload.startsWith("{\"") || !payload.endsWith("}")) {
            throw new IllegalArgumentException("the payload is to be a JSON object with a member");
        }
    }

    /** Leaves the payload out: it holds names and addresses. */
    @Override
    public String toString() {
        return "OutboxEvent[id=" + id + ", aggregateType=" + aggregateType + ", aggregateId=" + aggregateId + ", type="
                + type + "]";
    }
}
