package dev.signups.email.inbox;

import dev.signups.email.delivery.NewDelivery;

/** What an event turned out to be. */
sealed interface Reading {

    /** It asks for an e-mail. */
    record Asked(NewDelivery delivery) implements Reading {}

    /** It is of a type that nobody here sends e-mail for. */
    record Skipped() implements Reading {}

    /** It cannot be read. */
    record Bad(String reason) implements Reading {}
}
