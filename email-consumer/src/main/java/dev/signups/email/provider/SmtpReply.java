package dev.signups.email.provider;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reply code that a mail server's refusal starts with. */
final class SmtpReply {

    private static final Pattern CODE = Pattern.compile("^\\s*([245]\\d\\d)[ -]", Pattern.MULTILINE);

    private SmtpReply() {}

    /** The code, or 0 where the failure carries none. */
    static int of(Throwable failure) {
        String message = failure.getMessage();
        if (message != null) {
            Matcher matcher = CODE.matcher(message);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        return 0;
    }
}
