/** Signing up: what a request may hold, the user that comes of it, and its event. */
@NullMarked
package dev.signups.service.signup;

import org.jspecify.annotations.NullMarked;
