/** What the write-ahead log says, in commit order, whichever engine read it. */
@NullMarked
package dev.signups.relay.change;

import org.jspecify.annotations.NullMarked;
