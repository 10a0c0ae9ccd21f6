package dev.signups.service.stage;

/** The provider did not take an e-mail; the message says why, without the address. */
final class EmailNotSentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    EmailNotSentException(String message) {
        super(message);
    }
}
