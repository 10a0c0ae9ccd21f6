/** Hands one e-mail to the provider and says what became of it. */
@NullMarked
package dev.signups.email.provider;

import org.jspecify.annotations.NullMarked;
