/** Embedded Debezium: reads the write-ahead log and hands it on as {@link dev.signups.relay.change.Change}s. */
@NullMarked
package dev.signups.relay.engine;

import org.jspecify.annotations.NullMarked;
