/** What a team would otherwise write: three small applications that take the same events to the same provider. */
@NullMarked
package dev.signups.loadtests.delivery.peer;

import org.jspecify.annotations.NullMarked;
