package dev.signups.email.inbox;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads events of every type that has a mapping. Whatever the bytes are, the answer is a {@link Reading}. */
@Component
class EventReader {

    private final Map<String, EventMapping> mappings;
    private final JsonMapper json;

    EventReader(List<EventMapping> mappings, JsonMapper json) {
        this.mappings =
                mappings.stream().collect(Collectors.toUnmodifiableMap(EventMapping::eventType, Function.identity()));
        this.json = json;
    }

    /**
     * Reads one event.
     *
     * @param value its bytes
     * @param headers its headers as text
     * @param timestamp when its record was written
     */
    Reading read(byte @Nullable [] value, Map<String, String> headers, Instant timestamp) {
        String type = headers.get("ce_type");
        if (type == null) {
            return new Reading.Bad("header 'ce_type' is missing");
        }
        EventMapping mapping = mappings.get(type);
        if (mapping == null) {
            return new Reading.Skipped();
        }
        if (value == null || value.length == 0) {
            return new Reading.Bad("no value");
        }
        JsonNode payload;
        try {
            payload = json.readTree(value);
        } catch (JacksonException e) {
            return new Reading.Bad("not JSON");
        }
        if (!payload.isObject()) {
            return new Reading.Bad("not a JSON object");
        }
        try {
            return new Reading.Asked(mapping.read(payload, eventId(headers), eventTime(headers, timestamp)));
        } catch (UnreadableEventException e) {
            return new Reading.Bad(String.valueOf(e.getMessage()));
        }
    }

    /** Headers as text that the database can keep; of several of one name the last. */
    static Map<String, String> texts(Iterable<Header> headers) {
        Map<String, String> texts = new HashMap<>();
        for (Header header : headers) {
            if (header.value() != null) {
                String text = new String(header.value(), StandardCharsets.UTF_8);
                texts.put(header.key().replace('\0', '\uFFFD'), text.replace('\0', '\uFFFD'));
            }
        }
        return texts;
    }

    private static @Nullable String eventId(Map<String, String> headers) {
        return headers.getOrDefault("id", headers.get("ce_id"));
    }

    static Instant eventTime(Map<String, String> headers, Instant timestamp) {
        String time = headers.get("ce_time");
        if (time == null) {
            return timestamp;
        }
        try {
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeException e) {
            return timestamp;
        }
    }
}
