/** What is in the outbox against what is in Kafka: audit, gap recovery and replays. */
@NullMarked
package dev.signups.relay.recovery;

import org.jspecify.annotations.NullMarked;
