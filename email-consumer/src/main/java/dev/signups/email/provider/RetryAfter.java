package dev.signups.email.provider;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads the Retry-After header in both of its forms. */
final class RetryAfter {

    private static final Duration LONGEST = Duration.ofDays(1);

    private RetryAfter() {}

    /** The wait from now on; null where the header is missing or says nothing that can be understood. */
    static @Nullable Duration parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return null;
        }
        String value = header.trim();
        Duration wait;
        try {
            wait = value.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Duration.ofSeconds(value.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(value))
                    : Duration.between(
                            now,
                            ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
        } catch (DateTimeParseException e) {
            return null;
        }
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
