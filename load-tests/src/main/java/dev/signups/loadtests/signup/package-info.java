/** Signups under load: an open model on the JVM, and what a bare transaction on the same machine takes. */
@NullMarked
package dev.signups.loadtests.signup;

import org.jspecify.annotations.NullMarked;
