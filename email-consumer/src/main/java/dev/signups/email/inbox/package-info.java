/** Takes events from Kafka into the ledger of deliveries, and keeps those that cannot be read. */
@NullMarked
package dev.signups.email.inbox;

import org.jspecify.annotations.NullMarked;
