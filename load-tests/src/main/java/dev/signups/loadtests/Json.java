package dev.signups.loadtests;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the scenarios need of the services' answers: numbers by their names. */
public final class Json {

    private Json() {}

    /** The first number of that name in a document. */
    public static long number(String json, String name) throws IOException {
        Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(json);
        if (!matcher.find()) {
            throw new IOException("there is no number \"" + name + "\" in the answer");
        }
        return Long.parseLong(matcher.group(1));
    }
}
