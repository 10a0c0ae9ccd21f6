package dev.signups.email.provider;

import org.jspecify.annotations.Nullable;

/**
 * One message, ready to be handed over. Address and subject go into headers, so neither may hold a control character.
 *
 * @param to the recipient's address
 * @param subject one line
 * @param text the message as plain text
 * @param html the same as HTML, or null
 */
public record Email(
        String to, String subject, String text, @Nullable String html) {

    public Email {
        if (to.isBlank() || hasControl(to)) {
            throw new IllegalArgumentException("the address is blank or holds a control character");
        }
        if (subject.isBlank() || hasControl(subject)) {
            throw new IllegalArgumentException("the subject is blank or holds a control character");
        }
    }

    private static boolean hasControl(String value) {
        return value.chars().anyMatch(Character::isISOControl);
    }

    @Override
    public String toString() {
        return "Email[not shown]";
    }
}
