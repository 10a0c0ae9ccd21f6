/** The relay's life: one leader, its engine, what it does when something ends. */
@NullMarked
package dev.signups.relay.relay;

import org.jspecify.annotations.NullMarked;
