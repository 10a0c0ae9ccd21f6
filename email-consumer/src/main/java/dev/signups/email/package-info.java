@NullMarked
package dev.signups.email;

import org.jspecify.annotations.NullMarked;
