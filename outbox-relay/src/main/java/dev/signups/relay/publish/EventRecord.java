package dev.signups.relay.publish;

import dev.signups.relay.change.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * How a row becomes a record: topic by aggregate type, key by aggregate id, the payload byte for byte, and CloudEvents
 * attributes as headers (Kafka protocol binding 1.0.2, binary content mode).
 */
final class EventRecord {

    /** Kafka's own rule for a topic's name. */
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    /** RFC 3339 has four digits for the year. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final byte[] SPEC_VERSION = bytes("1.0");
    private static final byte[] JSON = bytes("application/json");

    private final String topicPrefix;
    private final byte[] source;
    private final java.util.Map<String, String> topics = new java.util.concurrent.ConcurrentHashMap<>();

    EventRecord(String topicPrefix, String source) {
        this.topicPrefix = topicPrefix;
        this.source = bytes(source);
    }

    /** The record of a row, or why there is none. */
    Mapped map(OutboxRow row, @Nullable String topic, Header... more) {
        if (row.aggregateType() == null) {
            return new Mapped.Refused("aggregatetype is null");
        }
        if (row.aggregateId() == null) {
            return new Mapped.Refused("aggregateid is null");
        }
        if (row.type() == null) {
            return new Mapped.Refused("type is null");
        }
        if (row.payload() == null) {
            return new Mapped.Refused("payload is null");
        }
        if (row.createdAt() == null) {
            return new Mapped.Refused("created_at is missing or infinite");
        }
        if (row.createdAt().isBefore(Instant.EPOCH) || row.createdAt().isAfter(LATEST)) {
            return new Mapped.Refused("created_at lies outside 1970 to 9999");
        }
        String name = topic != null ? topic : topicOf(row.aggregateType());
        if (name == null) {
            return new Mapped.Refused("aggregatetype makes no legal topic name");
        }
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                name,
                null,
                row.createdAt().toEpochMilli(),
                bytes(row.aggregateId()),
                bytes(row.payload()),
                headers(row.id(), row.type(), row.createdAt(), row.traceparent(), more));
        return new Mapped.Publishable(record, sizeOf(record));
    }

    /** Null where the name would be illegal. */
    @Nullable String topicOf(String aggregateType) {
        String known = topics.get(aggregateType);
        if (known != null) {
            return known;
        }
        String name = topicPrefix + aggregateType;
        if (!TOPIC.matcher(name).matches()) {
            return null;
        }
        topics.put(aggregateType, name);
        return name;
    }

    private List<Header> headers(String id, String type, Instant time, @Nullable String traceparent, Header[] more) {
        byte[] idBytes = bytes(id);
        Header[] headers = new Header[7 + (traceparent == null ? 0 : 1) + more.length];
        headers[0] = new RecordHeader("id", idBytes);
        headers[1] = new RecordHeader("ce_specversion", SPEC_VERSION);
        headers[2] = new RecordHeader("ce_id", idBytes);
        headers[3] = new RecordHeader("ce_type", bytes(type));
        headers[4] = new RecordHeader("ce_source", source);
        headers[5] = new RecordHeader("ce_time", bytes(time.toString()));
        headers[6] = new RecordHeader("content-type", JSON);
        int next = 7;
        if (traceparent != null) {
            headers[next++] = new RecordHeader("traceparent", bytes(traceparent));
        }
        System.arraycopy(more, 0, headers, next, more.length);
        return Arrays.asList(headers);
    }

    /** An upper bound of the record alone in a batch: 61 bytes of batch header, and varints of at most 5 bytes. */
    private static long sizeOf(ProducerRecord<byte[], byte[]> record) {
        long size = 61 + 21 + 10L + record.key().length + record.value().length;
        for (Header header : record.headers()) {
            size += 10L + header.key().length() + header.value().length;
        }
        return size;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What became of a row. */
    sealed interface Mapped {

        /**
         * A row that can be a record.
         *
         * @param record to be sent
         * @param size upper bound of its size in bytes
         */
        record Publishable(ProducerRecord<byte[], byte[]> record, long size) implements Mapped {}

        /**
         * A row that cannot.
         *
         * @param reason why
         */
        record Refused(String reason) implements Mapped {}
    }
}
