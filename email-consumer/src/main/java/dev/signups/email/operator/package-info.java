/** What an operator sees and does: API, page, login, health. */
@NullMarked
package dev.signups.email.operator;

import org.jspecify.annotations.NullMarked;
