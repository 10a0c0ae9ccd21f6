/** The relay's speed beside its peers, on one backlog and machine, and what it loses or repeats when it is killed. */
@NullMarked
package dev.signups.loadtests.relay;

import org.jspecify.annotations.NullMarked;
