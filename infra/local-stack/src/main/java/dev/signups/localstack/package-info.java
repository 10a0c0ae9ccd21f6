/** Real PostgreSQL and real Kafka, started, stopped and killed as child processes. */
@NullMarked
package dev.signups.localstack;

import org.jspecify.annotations.NullMarked;
