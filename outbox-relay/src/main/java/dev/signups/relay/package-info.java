@NullMarked
package dev.signups.relay;

import org.jspecify.annotations.NullMarked;
