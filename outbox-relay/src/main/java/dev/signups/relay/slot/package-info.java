/** The replication slot and what the server thinks of it. */
@NullMarked
package dev.signups.relay.slot;

import org.jspecify.annotations.NullMarked;
