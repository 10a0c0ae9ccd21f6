package dev.signups.email.inbox;

import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads fields of an event so that they are safe in headers, texts and the database. */
public final class Payload {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Pattern ADDRESS = Pattern.compile("[^\\p{Cc}]+@[^@\\s\\p{Cc}]+");
    /** Line breaks and other controls, and the invisible marks that turn the direction of a whole line. */
    private static final Pattern UNPRINTABLE =
            Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069\\uFEFF]+");

    private static final int LONGEST_ADDRESS = 320;
    private static final int LONGEST_NAME = 100;

    private Payload() {}

    /** An identifier of letters, digits, dot, hyphen and underscore. */
    public static String identifier(JsonNode payload, String field) throws UnreadableEventException {
        String value = required(payload, field);
        if (!IDENTIFIER.matcher(value).matches()) {
            throw new UnreadableEventException("field '" + field + "' is not an identifier");
        }
        return value;
    }

    /** An address that can stand in a header; whether it exists is the provider's business. */
    public static String address(JsonNode payload, String field) throws UnreadableEventException {
        String value = required(payload, field);
        if (value.length() > LONGEST_ADDRESS || !ADDRESS.matcher(value).matches()) {
            throw new UnreadableEventException("field '" + field + "' is not an address");
        }
        return value;
    }

    /** A name on one line, shortened where it is very long; empty where there is none. */
    public static String name(JsonNode payload, String field) {
        String value = payload.path(field).asString("");
        String line = UNPRINTABLE.matcher(value).replaceAll(" ").trim();
        if (line.codePointCount(0, line.length()) <= LONGEST_NAME) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, LONGEST_NAME - 1)) + "…";
    }

    private static String required(JsonNode payload, String field) throws UnreadableEventException {
        JsonNode value = payload.path(field);
        if (!value.isString() || value.asString().isBlank()) {
            throw new UnreadableEventException("field '" + field + "' is missing");
        }
        return value.asString();
    }
}
