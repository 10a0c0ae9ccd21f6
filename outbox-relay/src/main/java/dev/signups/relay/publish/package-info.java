/** Events and the published position, in one Kafka transaction. */
@NullMarked
package dev.signups.relay.publish;

import org.jspecify.annotations.NullMarked;
