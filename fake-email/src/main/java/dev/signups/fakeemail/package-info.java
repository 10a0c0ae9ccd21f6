/** A stand-in for somebody else's e-mail service: slow, failing on demand, and honest about what it accepted. */
@NullMarked
package dev.signups.fakeemail;

import org.jspecify.annotations.NullMarked;
