/** The whole pipeline under load while its processes are killed one after another. */
@NullMarked
package dev.signups.loadtests.faults;

import org.jspecify.annotations.NullMarked;
