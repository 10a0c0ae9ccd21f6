package dev.signups.fakeemail.send;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Reads a request to send: first the head, which may be reason enough to leave the body alone, then the mail. */
@Component
class MailReader {

    private static final int LONGEST_KEY = 255;

    private final int maxBody;
    private final ObjectReader json;

    MailReader(SendProperties properties, JsonMapper json) {
        this.maxBody = (int) properties.maxBody().toBytes();
        this.json = json.readerFor(Mail.class).without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    int maxBody() {
        return maxBody;
    }

    /** {@code length} is what the client announced, or negative. */
    Head head(HttpFields headers, long length, Instant at) {
        String key = headers.get("Idempotency-Key");
        String authorization = headers.get(HttpHeader.AUTHORIZATION);
        if (key != null && !isUsable(key)) {
            return new Head(at, null, authorization, Refusal.INVALID_KEY);
        }
        Refusal fault = null;
        String contentType = headers.get(HttpHeader.CONTENT_TYPE);
        if (contentType == null || !contentType.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            fault = Refusal.NOT_JSON;
        } else if (length > maxBody) {
            fault = Refusal.TOO_LARGE;
        }
        return new Head(at, key, authorization, fault);
    }

    Incoming read(Head head, byte[] body) {
        Mail mail;
        try {
            mail = json.readValue(body);
        } catch (DatabindException e) {
            String field = e.getPath().isEmpty() ? null : e.getPath().getFirst().getPropertyName();
            return head.faulty(Refusal.INVALID, Map.of(field == null ? "body" : field, "is of the wrong kind"));
        } catch (JacksonException e) {
            return head.faulty(Refusal.INVALID, Map.of("body", "is not valid JSON"));
        }
        if (mail == null) {
            return head.faulty(Refusal.INVALID, Map.of("body", "must be a JSON object"));
        }
        Map<String, String> errors = mail.errors();
        if (!errors.isEmpty()) {
            return head.faulty(Refusal.INVALID, errors);
        }
        return new Incoming(head.at, head.key, head.authorization, mail, null, Map.of());
    }

    private static boolean isUsable(String key) {
        return !key.isEmpty() && key.length() <= LONGEST_KEY && key.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /** What the headers say; {@code fault} is a reason not to read on. */
    record Head(
            Instant at,
            @Nullable String key,
            @Nullable String authorization,
            @Nullable Refusal fault) {

        Incoming faulty(Refusal why) {
            return faulty(why, Map.of());
        }

        Incoming faulty(Refusal why, Map<String, String> errors) {
            return new Incoming(at, key, authorization, null, why, errors);
        }

        /** No credential. */
        @Override
        public String toString() {
            return "Head[at=" + at + ", fault=" + fault + "]";
        }
    }
}
