package dev.signups.service.signup;

import org.springframework.util.unit.DataSize;

/** A request body beyond what any signup needs. */
public class BodyTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BodyTooLargeException(DataSize limit) {
        super("The body may have at most " + limit.toBytes() + " bytes.");
    }
}
