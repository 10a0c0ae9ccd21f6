/** PostgreSQL and Kafka in containers, in place of the local stack's child processes. */
@NullMarked
package dev.signups.containerstack;

import org.jspecify.annotations.NullMarked;
