/** The consumer of user events: one e-mail for each, at the pace of the provider. */
@NullMarked
package dev.signups.email;

import org.jspecify.annotations.NullMarked;
