package dev.signups.service.outbox;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The trace that an event belongs to, in the form of the W3C Trace Context header {@code traceparent}, version 00. */
public record TraceParent(String value) {

    private static final String INVALID_VERSION = "ff";
    private static final Pattern VERSION_00 =
            Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
    /** A later version may add fields after a dash; of those only its first four are ours to pass on. */
    private static final Pattern ANY_VERSION =
            Pattern.compile("([0-9a-f]{2})(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?");

    private static final SecureRandom RANDOM = new SecureRandom();

    public TraceParent {
        if (!VERSION_00.matcher(value).matches()) {
            throw new IllegalArgumentException("not a traceparent of version 00");
        }
    }

    /** Reads a header; empty where it is missing or not exactly what the recommendation asks for. */
    public static Optional<TraceParent> parse(@Nullable String header) {
        if (header == null) {
            return Optional.empty();
        }
        Matcher matcher = ANY_VERSION.matcher(header);
        if (!matcher.matches() || matcher.group(1).equals(INVALID_VERSION)) {
            return Optional.empty();
        }
        boolean extended = matcher.group(3) != null;
        if (extended && matcher.group(1).equals("00")) {
            return Optional.empty();
        }
        return Optional.of(new TraceParent("00" + matcher.group(2)));
    }

    /** Begins a trace, with the flag "sampled" off: nothing here has recorded a span. */
    public static TraceParent begin() {
        return new TraceParent("00-" + hex(16) + "-" + hex(8) + "-00");
    }

    private static String hex(int length) {
        byte[] bytes = new byte[length];
        do {
            RANDOM.nextBytes(bytes);
        } while (allZero(bytes));
        return HexFormat.of().formatHex(bytes);
    }

    private static boolean allZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
