package dev.signups.service.signup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A signup whose fields are all in order; {@link #of} makes it or names every field that is not.
 *
 * @param password as typed; null when the user gave none
 */
record SignupRequest(
        EmailAddress email,
        String firstName,
        String lastName,
        @Nullable String password) {

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MIN_PASSWORD_BYTES = 8;
    /** Bcrypt reads no further. */
    private static final int MAX_PASSWORD_BYTES = 72;

    /** Controls, line and paragraph separators, halves of surrogate pairs, and what turns the direction of text. */
    private static final Pattern FORBIDDEN =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]");

    /**
     * Checks all fields.
     *
     * @param fields by name; a value that is no string is a field of the wrong type, unknown names are ignored
     * @throws InvalidSignupException naming each bad field
     */
    static SignupRequest of(Map<String, ?> fields) {
        Reading reading = new Reading(fields, new ArrayList<>());
        String email = reading.text("email", EmailAddress::normalise, EmailAddress::flaw);
        String firstName = reading.text("firstName", String::strip, SignupRequest::nameFlaw);
        String lastName = reading.text("lastName", String::strip, SignupRequest::nameFlaw);
        String password = fields.get("password") == null
                ? null
                : reading.text("password", UnaryOperator.identity(), SignupRequest::passwordFlaw);
        if (!reading.bad().isEmpty()) {
            throw new InvalidSignupException(reading.bad());
        }
        return new SignupRequest(new EmailAddress(email), firstName, lastName, password);
    }

    private static @Nullable String nameFlaw(String name) {
        if (name.isEmpty()) {
            return "is required";
        }
        return name.codePointCount(0, name.length()) > MAX_NAME_LENGTH
                ? "must be at most " + MAX_NAME_LENGTH + " characters long"
                : null;
    }

    private static @Nullable String passwordFlaw(String password) {
        int length = password.getBytes(UTF_8).length;
        return length < MIN_PASSWORD_BYTES || length > MAX_PASSWORD_BYTES
                ? "must be " + MIN_PASSWORD_BYTES + " to " + MAX_PASSWORD_BYTES + " bytes long in UTF-8"
                : null;
    }

    /** Leaves out everything: all of it is personal or secret. */
    @Override
    public String toString() {
        return "SignupRequest[…]";
    }

    private record Reading(Map<String, ?> fields, List<BadField> bad) {

        /** The field made tidy; empty when it is bad, which is then on the list. */
        String text(String name, UnaryOperator<String> tidy, Function<String, @Nullable String> flaw) {
            Object value = fields.get(name);
            if (value == null) {
                return refuse(name, "is required");
            }
            if (!(value instanceof String text)) {
                return refuse(name, "must be a string");
            }
            if (FORBIDDEN.matcher(text).find()) {
                return refuse(name, "must not hold control characters");
            }
            String tidied = tidy.apply(text);
            String found = flaw.apply(tidied);
            return found == null ? tidied : refuse(name, found);
        }

        private String refuse(String name, String detail) {
            bad.add(new BadField(name, detail));
            return "";
        }
    }
}
