package dev.signups.loadtests;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The {@code key=value} pairs of the command line over a scenario's defaults. */
public final class Parameters {

    private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m)");

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    static Parameters parse(List<String> pairs, Map<String, String> defaults) {
        Map<String, String> values = new HashMap<>(defaults);
        values.putIfAbsent("quick", "false");
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !values.containsKey(key)) {
                throw new UsageException(
                        "'" + pair + "' is not key=value with one of " + new TreeSet<>(values.keySet()));
            }
            values.put(key, pair.substring(equals + 1));
        }
        return new Parameters(values);
    }

    /** The value as it was written. */
    public String text(String key) {
        return Objects.requireNonNull(values.get(key), key);
    }

    /** A whole number from 1. */
    public int number(String key) {
        try {
            int value = Integer.parseInt(text(key));
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same line as for a number out of range
        }
        throw new UsageException(key + " is a whole number from 1, not '" + text(key) + "'");
    }

    /** A time like {@code 500ms}, {@code 60s} or {@code 2m}. */
    public Duration time(String key) {
        Matcher matcher = TIME.matcher(text(key));
        if (!matcher.matches()) {
            throw new UsageException(key + " is a time like 500ms, 60s or 2m, not '" + text(key) + "'");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    /** The address of a service on this machine; load goes to no other. */
    public String loopback(String key) {
        try {
            String host = URI.create(text(key)).getHost();
            if (host != null && InetAddress.getByName(host).isLoopbackAddress()) {
                return text(key);
            }
        } catch (IllegalArgumentException | UnknownHostException e) {
            // the same line as for another machine's address
        }
        throw new UsageException(
                key + " is an address of this machine like http://127.0.0.1:8080, not '" + text(key) + "'");
    }

    /** {@code true} or {@code false}. */
    public boolean flag(String key) {
        return switch (text(key)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new UsageException(key + " is true or false, not '" + text(key) + "'");
        };
    }

    /** Whether the short form is asked for. */
    public boolean quick() {
        return flag("quick");
    }

    /** The command line is wrong, and the message says how. */
    static final class UsageException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }
}
