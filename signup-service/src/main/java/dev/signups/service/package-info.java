/** The front door: commits a user and its event together, and shows both to the operator. */
@NullMarked
package dev.signups.service;

import org.jspecify.annotations.NullMarked;
