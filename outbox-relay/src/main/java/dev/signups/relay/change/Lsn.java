package dev.signups.relay.change;

import java.util.Locale;

/** Log sequence numbers as PostgreSQL writes them: two hexadecimal halves. */
public final class Lsn {

    private Lsn() {}

    /** Reads {@code 16/B374D848}. */
    public static long parse(String text) {
        int slash = text.indexOf('/');
        return (Long.parseLong(text.substring(0, slash), 16) << 32) | Long.parseLong(text.substring(slash + 1), 16);
    }

    /** Writes {@code 16/B374D848}. */
    public static String format(long lsn) {
        return String.format(Locale.ROOT, "%X/%X", lsn >>> 32, lsn & 0xFFFFFFFFL);
    }
}
