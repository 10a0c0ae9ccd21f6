package dev.signups.service.signup;

/** More passwords wait to be hashed than could be answered in time; the same request may succeed later. */
public class HashingBusyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    HashingBusyException() {
        super("Too many signups with a password at the moment.");
    }
}
