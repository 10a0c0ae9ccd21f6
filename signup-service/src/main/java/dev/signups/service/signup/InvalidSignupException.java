package dev.signups.service.signup;

import java.util.List;

/** A signup that names no user: unreadable as a whole, or with fields that are missing or wrong. */
public class InvalidSignupException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<BadField> badFields;

    InvalidSignupException(String detail) {
        super(detail);
        this.badFields = List.of();
    }

    InvalidSignupException(List<BadField> badFields) {
        super("The signup has fields that are missing or wrong.");
        this.badFields = List.copyOf(badFields);
    }

    public List<BadField> badFields() {
        return badFields;
    }
}
