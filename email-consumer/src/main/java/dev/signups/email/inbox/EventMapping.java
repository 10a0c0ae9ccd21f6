package dev.signups.email.inbox;

import dev.signups.email.delivery.NewDelivery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which e-mail a type of event asks for. A new e-mail is one bean of this kind and its templates.
 */
public interface EventMapping {

    /** The event's {@code ce_type}. */
    String eventType();

    /**
     * Reads the payload.
     *
     * @param payload a JSON object
     * @param eventId the event's id
     * @param eventTime when it was committed
     * @throws UnreadableEventException when something is missing or is not what it should be
     */
    NewDelivery read(JsonNode payload, @Nullable String eventId, Instant eventTime) throws UnreadableEventException;
}
