package dev.signups.service.signup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a signup from a JSON body, of which it trusts nothing: neither size, nor encoding, nor depth, nor types.
 *
 * <p>By hand instead of by data binding, which stops at the first bad field, turns numbers into strings, and guesses the
 * encoding.
 */
@Component
class SignupRequestReader {

    private static final int MAX_DEPTH = 32;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final DataSize maxBody;
    private final JsonMapper json = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    SignupRequestReader(SignupProperties properties) {
        this.maxBody = properties.maxBody();
    }

    /**
     * Reads to the end or to the limit.
     *
     * @return the object's members: strings as such, null left out, everything else as it was parsed
     * @throws BodyTooLargeException beyond the limit
     * @throws InvalidSignupException when it is no JSON object
     */
    Map<String, Object> read(InputStream body) {
        JsonNode root = parse(decode(readBytes(body)));
        if (!root.isObject()) {
            throw new InvalidSignupException("The body is not a JSON object.");
        }
        Map<String, Object> fields = new HashMap<>();
        root.properties().forEach(property -> {
            JsonNode value = property.getValue();
            if (!value.isNull()) {
                fields.put(property.getKey(), value.isString() ? value.stringValue() : value);
            }
        });
        return fields;
    }

    private byte[] readBytes(InputStream body) {
        int limit = Math.toIntExact(maxBody.toBytes());
        try {
            byte[] bytes = body.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new BodyTooLargeException(maxBody);
            }
            return bytes;
        } catch (IOException e) {
            // the client was too slow, went away, or sent a malformed chunk
            throw new InvalidSignupException("The body ended early.");
        }
    }

    private static String decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InvalidSignupException("The body is not valid UTF-8.");
        }
    }

    private JsonNode parse(String text) {
        if (text.isBlank()) {
            throw new InvalidSignupException("The body is empty.");
        }
        try {
            return json.readTree(text);
        } catch (JacksonException e) {
            // its message quotes the body
            TokenStreamLocation at = e.getLocation();
            String place = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new InvalidSignupException("The body cannot be read as JSON" + place + ".");
        }
    }
}
