/** What the provider remembers: every send, who was sent what, and the idempotency keys. */
@NullMarked
package dev.signups.fakeemail.log;

import org.jspecify.annotations.NullMarked;
