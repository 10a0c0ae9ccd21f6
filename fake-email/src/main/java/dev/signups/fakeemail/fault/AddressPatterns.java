package dev.signups.fakeemail.fault;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Addresses by glob ({@code *@bounce.example}) or by {@code /regex/}; the whole address must match, whatever its case. */
final class AddressPatterns {

    private static final int LONGEST = 320;

    private final List<Pattern> patterns;

    AddressPatterns(List<String> patterns) {
        this.patterns = patterns.stream().map(AddressPatterns::compile).toList();
    }

    boolean match(String address) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(address).matches()) {
                return true;
            }
        }
        return false;
    }

    /** What is wrong with a pattern, or null. */
    static @Nullable String faultOf(String pattern) {
        if (pattern.isBlank() || pattern.length() > LONGEST) {
            return "each pattern must be 1 to " + LONGEST + " characters";
        }
        try {
            compile(pattern);
            return null;
        } catch (PatternSyntaxException e) {
            return "has a regular expression that cannot be read: " + e.getDescription();
        }
    }

    private static Pattern compile(String pattern) {
        boolean regex = pattern.length() > 2 && pattern.startsWith("/") && pattern.endsWith("/");
        String expression = regex ? pattern.substring(1, pattern.length() - 1) : globToRegex(pattern);
        return Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }

    private static String globToRegex(String glob) {
        var regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }
}
