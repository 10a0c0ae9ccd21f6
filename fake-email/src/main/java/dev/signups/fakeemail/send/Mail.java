package dev.signups.fakeemail.send;

import dev.signups.fakeemail.log.Fingerprint;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a send. */
record Mail(
        @Nullable String to,
        @Nullable String subject,
        @Nullable String text,
        @Nullable String html) {

    private static final int LONGEST_ADDRESS = 320;
    private static final int LONGEST_SUBJECT = 998;

    /** What is wrong, by field; empty if nothing is. */
    Map<String, String> errors() {
        var errors = new LinkedHashMap<String, String>();
        if (to == null || !isAddress(to)) {
            errors.put("to", "must be an e-mail address of at most " + LONGEST_ADDRESS + " characters");
        }
        if (subject == null || subject.isBlank() || subject.length() > LONGEST_SUBJECT || hasControls(subject)) {
            errors.put("subject", "must be 1 to " + LONGEST_SUBJECT + " characters in one line");
        }
        if (text == null || text.isBlank()) {
            errors.put("text", "must not be empty");
        }
        return errors;
    }

    Fingerprint fingerprint() {
        return Fingerprint.of(to, subject, text, html);
    }

    private static boolean isAddress(String value) {
        int at = value.lastIndexOf('@');
        return at > 0
                && at < value.length() - 1
                && value.length() <= LONGEST_ADDRESS
                && !hasControls(value)
                && value.equals(value.strip());
    }

    private static boolean hasControls(String value) {
        return value.chars().anyMatch(Character::isISOControl);
    }

    /** No address and no text in logs. */
    @Override
    public String toString() {
        return "Mail";
    }
}
