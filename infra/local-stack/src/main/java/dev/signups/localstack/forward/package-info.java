/** One port for the replicas of a service, for Compose. */
@NullMarked
package dev.signups.localstack.forward;

import org.jspecify.annotations.NullMarked;
