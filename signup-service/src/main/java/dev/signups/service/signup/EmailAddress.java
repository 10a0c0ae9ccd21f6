package dev.signups.service.signup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.IDN;
import java.text.Normalizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address that a mail server on the internet would accept: RFC 5321's {@code local@domain} with the domain's labels in
 * ASCII or, as RFC 6531 allows for both sides, in any script.
 *
 * <p>Left out on purpose: comments, address literals ({@code user@[192.0.2.1]}) and domains without a dot, which deliver
 * nothing on the public internet.
 */
record EmailAddress(String value) {

    private static final int MAX_OCTETS = 254;
    private static final int MAX_LOCAL_OCTETS = 64;
    private static final int MAX_DOMAIN_OCTETS = 253;
    private static final int MAX_LABEL_OCTETS = 63;

    /** Besides ASCII's atom characters, letters, marks, numbers and symbols of any script. */
    private static final String ATOM =
            "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-[\\P{ASCII}&&[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]]]+";

    private static final Pattern DOT_ATOM = Pattern.compile(ATOM + "(\\." + ATOM + ")*");
    private static final Pattern QUOTED = Pattern.compile("\"([ !#-\\[\\]-~]|\\\\[ -~])*\"");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");
    private static final Pattern ALL_DIGITS = Pattern.compile("[0-9]+");

    EmailAddress {
        String flaw = flaw(value);
        if (flaw != null || !value.equals(normalise(value))) {
            throw new IllegalArgumentException("not a normalised address");
        }
    }

    /** Takes the spaces around it away and composes its letters, so that what looks the same is the same. */
    static String normalise(String text) {
        return Normalizer.normalize(text.strip(), Normalizer.Form.NFC);
    }

    /** What is wrong with a normalised address; null when nothing is. */
    static @Nullable String flaw(String address) {
        if (address.isEmpty()) {
            return "is required";
        }
        if (address.getBytes(UTF_8).length > MAX_OCTETS) {
            return "must be at most " + MAX_OCTETS + " bytes long";
        }
        int at = address.lastIndexOf('@');
        if (at < 1) {
            return "must be an e-mail address, like name@example.com";
        }
        String local = address.substring(0, at);
        if (local.getBytes(UTF_8).length > MAX_LOCAL_OCTETS) {
            return "must have at most " + MAX_LOCAL_OCTETS + " bytes before the @";
        }
        if (!DOT_ATOM.matcher(local).matches() && !QUOTED.matcher(local).matches()) {
            return "has a character or a dot before the @ that no mail server accepts";
        }
        return isDomain(address.substring(at + 1)) ? null : "must end in a domain, like example.com";
    }

    private static boolean isDomain(String domain) {
        String ascii;
        try {
            ascii = IDN.toASCII(domain, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException e) {
            return false;
        }
        // IDNA reads other scripts' full stops as dots; here only a dot is one
        if (ascii.length() > MAX_DOMAIN_OCTETS
                || ascii.chars().filter(c -> c == '.').count()
                        != domain.chars().filter(c -> c == '.').count()) {
            return false;
        }
        String[] labels = ascii.split("\\.", -1);
        for (String label : labels) {
            if (label.length() > MAX_LABEL_OCTETS || !LABEL.matcher(label).matches()) {
                return false;
            }
        }
        return labels.length > 1
                && !ALL_DIGITS.matcher(labels[labels.length - 1]).matches();
    }

    @Override
    public String toString() {
        return "EmailAddress[…]";
    }
}
