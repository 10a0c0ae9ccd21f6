/** What every response and every browser request has in common. */
@NullMarked
package dev.signups.fakeemail.web;

import org.jspecify.annotations.NullMarked;
