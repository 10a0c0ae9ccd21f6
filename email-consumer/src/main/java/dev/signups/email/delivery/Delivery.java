package dev.signups.email.delivery;

import dev.signups.email.provider.IdempotencyKey;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A row of the ledger in the hands of a sender.
 *
 * @param id which e-mail to whom
 * @param token proof of the claim: only its holder may write a failure
 * @param attempts how many there were, this one included
 * @param keyGeneration which of the row's idempotency keys is in use
 * @param recipient the address
 * @param arguments what the template needs
 * @param eventTime when the event was committed
 * @param certain whether no earlier attempt under this key can have been accepted
 * @param suppressed whether the address is to get no e-mail
 */
record Delivery(
        DeliveryId id,
        UUID token,
        int attempts,
        int keyGeneration,
        String recipient,
        Map<String, String> arguments,
        Instant eventTime,
        boolean certain,
        boolean suppressed) {

    /** One claim of one row; a row that is claimed again has another. */
    record Claim(DeliveryId id, UUID token) {}

    Claim claim() {
        return new Claim(id, token);
    }

    IdempotencyKey key() {
        return IdempotencyKey.of(id.emailType(), id.userId(), keyGeneration);
    }

    @Override
    public String toString() {
        return "Delivery[" + id + ", attempt " + attempts + "]";
    }
}
