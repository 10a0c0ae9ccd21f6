/** E-mail delivery at the provider's pace, measured on the real pipeline and on what a team would otherwise write. */
@NullMarked
package dev.signups.loadtests.delivery;

import org.jspecify.annotations.NullMarked;
