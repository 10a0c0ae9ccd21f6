package dev.signups.pipeline;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the metrics that an expression names. */
final class PromQl {

    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"|\\{[^}]*}|\\[[^]]*]");
    private static final Pattern LABEL_LISTS =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
    private static final Pattern NAME = Pattern.compile("(?<![\\w:.])[a-zA-Z_:][\\w:]*(?!\\w)(?!\\s*\\()");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "NaN", "Inf");

    private PromQl() {}

    static Set<String> metrics(String expression) {
        String bare = TEXT.matcher(expression).replaceAll(" ");
        bare = LABEL_LISTS.matcher(bare).replaceAll(" ");
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(bare);
        while (name.find()) {
            if (!WORDS.contains(name.group())) {
                names.add(name.group());
            }
        }
        return names;
    }
}
