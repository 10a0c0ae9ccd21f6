/** The dials: how slow the provider is and in which ways it fails, changeable while it runs. */
@NullMarked
package dev.signups.fakeemail.fault;

import org.jspecify.annotations.NullMarked;
