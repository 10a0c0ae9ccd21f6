package dev.signups.service.signup;

/** A signup with an address that a user already has, in whatever case. */
public class AddressTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    AddressTakenException() {
        super("A user with this e-mail address exists already.");
    }
}
