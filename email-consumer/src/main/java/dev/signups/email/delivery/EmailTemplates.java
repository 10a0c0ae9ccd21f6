package dev.signups.email.delivery;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.signups.email.provider.Email;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Writes the message of an e-mail type from its templates {@code emails/<type>.subject|text|html.mustache}; HTML is
 * optional. Values are escaped in HTML and kept on one line in the subject.
 */
@Component
class EmailTemplates {

    private static final Mustache.Compiler PLAIN =
            Mustache.compiler().defaultValue("").emptyStringIsFalse(true).escapeHTML(false);
    private static final Mustache.Compiler ESCAPED = PLAIN.withEscaper(Escapers.HTML);

    private final Map<String, Templates> byType = new ConcurrentHashMap<>();

    private record Templates(
            Template subject, Template text, @Nullable Template html) {}

    /** Whether an e-mail of this type can be written. */
    boolean has(String emailType) {
        return EmailTemplates.class.getResource(resource(emailType, "subject")) != null;
    }

    Email render(String emailType, String recipient, Map<String, String> arguments) {
        Templates templates = byType.computeIfAbsent(emailType, EmailTemplates::load);
        String subject =
                templates.subject.execute(arguments).replaceAll("\\s+", " ").trim();
        Template html = templates.html;
        return new Email(
                recipient, subject, templates.text.execute(arguments), html == null ? null : html.execute(arguments));
    }

    private static Templates load(String emailType) {
        Template subject = compile(PLAIN, emailType, "subject");
        Template text = compile(PLAIN, emailType, "text");
        if (subject == null || text == null) {
            throw new IllegalStateException("no templates for e-mail type " + emailType);
        }
        return new Templates(subject, text, compile(ESCAPED, emailType, "html"));
    }

    private static @Nullable Template compile(Mustache.Compiler compiler, String emailType, String part) {
        try (InputStream resource = EmailTemplates.class.getResourceAsStream(resource(emailType, part))) {
            return resource == null
                    ? null
                    : compiler.compile(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String emailType, String part) {
        if (!emailType.matches("[a-z][a-z0-9_]{0,63}")) {
            throw new IllegalArgumentException("not the name of an e-mail type");
        }
        return "/emails/" + emailType + "." + part + ".mustache";
    }
}
