/** The outbox: events written in the transaction of the change they tell of, and their removal once published. */
@NullMarked
package dev.signups.service.outbox;

import org.jspecify.annotations.NullMarked;
