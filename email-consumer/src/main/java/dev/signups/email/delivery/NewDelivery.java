package dev.signups.email.delivery;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An e-mail that an event asks for.
 *
 * @param id which e-mail to whom
 * @param recipient the address
 * @param arguments what the template needs
 * @param eventId the event's id, for tracing it back
 * @param eventTime when the event was committed
 */
public record NewDelivery(
        DeliveryId id,
        String recipient,
        Map<String, String> arguments,
        @Nullable String eventId,
        Instant eventTime) {

    public NewDelivery {
        arguments = Map.copyOf(arguments);
    }

    @Override
    public String toString() {
        return "NewDelivery[" + id + "]";
    }
}
