package dev.signups.email.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sees of a delivery: never the address or a name.
 *
 * @param userId the user
 * @param emailType which e-mail
 * @param status where it stands
 * @param attempts how many there were
 * @param nextAttemptAt when the next is due
 * @param lastError why the last one failed
 * @param createdAt when the event was taken in
 * @param sentAt when the provider's acceptance was written down
 * @param providerMessageId the provider's name for the message
 */
public record DeliveryView(
        String userId,
        String emailType,
        DeliveryStatus status,
        int attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable String lastError,
        Instant createdAt,
        @Nullable Instant sentAt,
        @Nullable String providerMessageId) {}
