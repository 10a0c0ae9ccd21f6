/** The ledger of deliveries and everything that moves a row of it from PENDING to SENT or FAILED. */
@NullMarked
package dev.signups.email.delivery;

import org.jspecify.annotations.NullMarked;
