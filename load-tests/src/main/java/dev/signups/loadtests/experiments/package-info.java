/** The article's experiments at its three stages, and the report that shows them side by side. */
@NullMarked
package dev.signups.loadtests.experiments;

import org.jspecify.annotations.NullMarked;
