package dev.signups.relay.publish;

import java.time.Instant;

/**
 * A row that cannot be published, without its content: the row itself stays in the outbox.
 *
 * @param id the row's id
 * @param aggregateType what the topic would have been named for, shortened
 * @param reason why it cannot be published
 * @param sizeBytes the size of the record it would have been
 * @param at when the relay gave it up
 */
public record DeadLetter(String id, String aggregateType, String reason, long sizeBytes, Instant at) {}
