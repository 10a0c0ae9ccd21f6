/** Identifiers whose order is the order of their making. */
@NullMarked
package dev.signups.service.id;

import org.jspecify.annotations.NullMarked;
