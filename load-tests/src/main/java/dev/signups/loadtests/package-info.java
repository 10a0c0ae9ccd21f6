/** The entry point of all scenarios, what they print, and the pipeline that they run against. */
@NullMarked
package dev.signups.loadtests;

import org.jspecify.annotations.NullMarked;
