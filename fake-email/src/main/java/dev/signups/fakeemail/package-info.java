@NullMarked
package dev.signups.fakeemail;

import org.jspecify.annotations.NullMarked;
