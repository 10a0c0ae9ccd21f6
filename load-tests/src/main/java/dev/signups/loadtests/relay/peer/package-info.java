/** What a team would otherwise use, each as a program of its own, run with the same JVM options as the relay. */
@NullMarked
package dev.signups.loadtests.relay.peer;

import org.jspecify.annotations.NullMarked;
