package dev.signups.email.inbox;

import dev.signups.email.delivery.DeliveryId;
import dev.signups.email.delivery.NewDelivery;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Somebody signed up: the welcome e-mail. */
@Component
class UserSignedUp implements EventMapping {

    @Override
    public String eventType() {
        return "UserSignedUp";
    }

    @Override
    public NewDelivery read(JsonNode payload, @Nullable String eventId, Instant eventTime)
            throws UnreadableEventException {
        return new NewDelivery(
                new DeliveryId(Payload.identifier(payload, "userId"), "welcome_email"),
                Payload.address(payload, "email"),
                Map.of("firstName", Payload.name(payload, "firstName"), "lastName", Payload.name(payload, "lastName")),
                eventId,
                eventTime);
    }
}
