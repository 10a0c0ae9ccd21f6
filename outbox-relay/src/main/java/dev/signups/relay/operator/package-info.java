/** The operator's HTTP interface. */
@NullMarked
package dev.signups.relay.operator;

import org.jspecify.annotations.NullMarked;
