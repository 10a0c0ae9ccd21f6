package dev.signups.fakeemail.fault;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Every dial of the provider. The same names serve {@code GET|PUT /api/settings} and, in kebab case under
 * {@code fake-email.settings}, the values at start; hence plain numbers with their unit in the name.
 *
 * @param latencyMinMs least time a send takes
 * @param latencyMaxMs longest time a send takes; the time is uniformly random between the two
 * @param failureRate share of sends answered 503 without being accepted, after the latency
 * @param acceptThen503 share of the accepted sends that are answered 503 all the same
 * @param acceptThenReset share of the accepted sends whose connection is reset (TCP RST) instead of answered
 * @param acceptThenHang share of the accepted sends that are answered only after {@code hangMs}
 * @param hangMs how long a hanging answer is held back
 * @param reject422 address patterns rejected for good with 422: globs ({@code *}, {@code ?}), or {@code /regex/}
 * @param always503 address patterns that get 503 every time, after the latency
 * @param requiredApiKey when set, a send needs {@code Authorization: Bearer} with this key, or gets 401
 * @param rateLimitPerSecond sends let in per second, the others get 429; 0 refuses all, unset is unlimited
 * @param retryAfterSeconds what {@code Retry-After} of a 429 says
 * @param retryAfterFormat whether it says so in seconds or as an HTTP date
 * @param honourIdempotencyKeys false makes a provider that ignores {@code Idempotency-Key}
 * @param idempotencyKeyTtlSeconds how long a key is remembered after the acceptance
 * @param seed makes the decisions repeatable: same seed, same order of sends, same decisions; unset is random
 */
@ConfigurationProperties("fake-email.settings")
public record FaultSettings(
        @DefaultValue("2000") int latencyMinMs,
        @DefaultValue("4000") int latencyMaxMs,
        @DefaultValue("0.2") double failureRate,
        @DefaultValue("0") double acceptThen503,
        @DefaultValue("0") double acceptThenReset,
        @DefaultValue("0") double acceptThenHang,
        @DefaultValue("60000") int hangMs,
        @DefaultValue List<String> reject422,
        @DefaultValue List<String> always503,

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) @Nullable String requiredApiKey,

        @Nullable Integer rateLimitPerSecond,
        @DefaultValue("1") int retryAfterSeconds,
        @DefaultValue("seconds") RetryAfterFormat retryAfterFormat,
        @DefaultValue("true") boolean honourIdempotencyKeys,
        @DefaultValue("86400") int idempotencyKeyTtlSeconds,
        @Nullable Long seed) {

    private static final int TEN_MINUTES_MS = 600_000;
    private static final int YEAR_SECONDS = 366 * 86_400;
    private static final int MOST_PATTERNS = 100;

    public FaultSettings {
        reject422 = List.copyOf(reject422);
        always503 = List.copyOf(always503);
        var errors = new TreeMap<String, String>();
        between(errors, "latencyMinMs", latencyMinMs, 0, TEN_MINUTES_MS);
        between(errors, "latencyMaxMs", latencyMaxMs, 0, TEN_MINUTES_MS);
        if (latencyMaxMs < latencyMinMs) {
            errors.putIfAbsent("latencyMaxMs", "must not be below latencyMinMs (" + latencyMinMs + ")");
        }
        rate(errors, "failureRate", failureRate);
        rate(errors, "acceptThen503", acceptThen503);
        rate(errors, "acceptThenReset", acceptThenReset);
        rate(errors, "acceptThenHang", acceptThenHang);
        if (acceptThen503 + acceptThenReset + acceptThenHang > 1 + 1e-9) {
            errors.putIfAbsent(
                    "acceptThen503", "acceptThen503, acceptThenReset and acceptThenHang together must not exceed 1");
        }
        between(errors, "hangMs", hangMs, 0, TEN_MINUTES_MS);
        patterns(errors, "reject422", reject422);
        patterns(errors, "always503", always503);
        if (requiredApiKey != null && (requiredApiKey.isBlank() || requiredApiKey.length() > 256)) {
            errors.put("requiredApiKey", "must be 1 to 256 characters, or null for none");
        }
        if (rateLimitPerSecond != null) {
            between(errors, "rateLimitPerSecond", rateLimitPerSecond, 0, 1_000_000);
        }
        between(errors, "retryAfterSeconds", retryAfterSeconds, 0, 86_400);
        between(errors, "idempotencyKeyTtlSeconds", idempotencyKeyTtlSeconds, 0, YEAR_SECONDS);
        if (!errors.isEmpty()) {
            throw new InvalidSettingsException(errors);
        }
    }

    private static void between(Map<String, String> errors, String field, int value, int least, int most) {
        if (value < least || value > most) {
            errors.put(field, "must be between " + least + " and " + most);
        }
    }

    private static void rate(Map<String, String> errors, String field, double value) {
        if (!(value >= 0 && value <= 1)) {
            errors.put(field, "must be between 0 and 1");
        }
    }

    private static void patterns(Map<String, String> errors, String field, List<String> patterns) {
        if (patterns.size() > MOST_PATTERNS) {
            errors.put(field, "must not be more than " + MOST_PATTERNS + " patterns");
        }
        for (String pattern : patterns) {
            String fault = AddressPatterns.faultOf(pattern);
            if (fault != null) {
                errors.put(field, fault);
            }
        }
    }

    @JsonProperty
    boolean apiKeyRequired() {
        return requiredApiKey != null;
    }

    /** Without the key and the patterns, which may be addresses. */
    @Override
    public String toString() {
        return "FaultSettings[latencyMs=%d-%d, failureRate=%s, acceptThen503=%s, acceptThenReset=%s, acceptThenHang=%s]"
                .formatted(latencyMinMs, latencyMaxMs, failureRate, acceptThen503, acceptThenReset, acceptThenHang);
    }
}
