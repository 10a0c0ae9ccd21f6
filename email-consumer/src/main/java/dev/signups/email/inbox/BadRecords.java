package dev.signups.email.inbox;

import dev.signups.email.delivery.Dispatcher;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Records that could not be read, kept as they came so that they can be read again by a mended consumer. */
@Repository
public class BadRecords {

    private static final TypeReference<HashMap<String, String>> HEADERS = new TypeReference<>() {};

    private final JdbcClient jdbc;
    private final JsonMapper json;
    private final EventReader reader;
    private final Dispatcher dispatcher;

    BadRecords(JdbcClient jdbc, JsonMapper json, EventReader reader, Dispatcher dispatcher) {
        this.jdbc = jdbc;
        this.json = json;
        this.reader = reader;
        this.dispatcher = dispatcher;
    }

    /**
     * A record as an operator sees it; its bytes are not shown, for they may hold an address.
     *
     * @param topic its topic
     * @param partition its partition
     * @param offset its offset
     * @param reason why it could not be read
     * @param eventType its ce_type, if it has one
     * @param createdAt when it was kept
     */
    public record BadRecord(
            String topic,
            int partition,
            long offset,
            String reason,
            @Nullable String eventType,
            Instant createdAt) {}

    /** What came of reading a record again. */
    public enum Reread {
        /** It can be read now, and its e-mail is in the ledger. */
        DONE,
        /** There is no such record, or it has been dealt with. */
        MISSING,
        /** It still cannot be read; the reason is the newest. */
        STILL_BAD
    }

    /** Keeps the record; the same one again changes nothing. */
    void keep(ConsumerRecord<byte[], byte[]> entry, Map<String, String> headers, String reason) {
        Instant time = EventReader.eventTime(headers, Instant.ofEpochMilli(Math.max(0, entry.timestamp())));
        jdbc.sql("""
                        insert into bad_record (topic, partition, "offset", reason, value, headers, event_time)
                        values (?, ?, ?, ?, ?, ?::jsonb, ?) on conflict do nothing
                        """)
                .params(
                        entry.topic(),
                        entry.partition(),
                        entry.offset(),
                        reason,
                        entry.value(),
                        json.writeValueAsString(headers),
                        time.atOffset(ZoneOffset.UTC))
                .update();
    }

    /** Those nobody has dealt with, newest first. */
    public List<BadRecord> list(int limit) {
        return jdbc.sql("""
                        select topic, partition, "offset", reason, headers ->> 'ce_type' as type, created_at
                        from bad_record where resolved_at is null
                        order by created_at desc, topic, partition, "offset" desc limit ?
                        """)
                .param(limit)
                .query((row, n) -> new BadRecord(
                        row.getString("topic"),
                        row.getInt("partition"),
                        row.getLong("offset"),
                        row.getString("reason"),
                        row.getString("type"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .list();
    }

    /** How many nobody has dealt with. */
    public long count() {
        return jdbc.sql("select count(*) from bad_record where resolved_at is null")
                .query(Long.class)
                .single();
    }

    /** Reads the record again, with whatever the consumer has learnt since. */
    public Reread retry(String topic, int partition, long offset) {
        List<Reading> found = jdbc.sql("""
                        select value, headers, event_time from bad_record
                        where topic = ? and partition = ? and "offset" = ? and resolved_at is null
                        """)
                .params(topic, partition, offset)
                .query((row, n) -> read(row))
                .list();
        if (found.isEmpty()) {
            return Reread.MISSING;
        }
        return switch (found.getFirst()) {
            case Reading.Bad bad -> {
                jdbc.sql("update bad_record set reason = ? where topic = ? and partition = ? and \"offset\" = ?")
                        .params(bad.reason(), topic, partition, offset)
                        .update();
                yield Reread.STILL_BAD;
            }
            case Reading.Skipped skipped -> resolve(topic, partition, offset);
            case Reading.Asked asked -> {
                // a crash between the two does no harm: the delivery is there once, whoever asks for it
                dispatcher.accept(List.of(asked.delivery()));
                yield resolve(topic, partition, offset);
            }
        };
    }

    private Reread resolve(String topic, int partition, long offset) {
        jdbc.sql("update bad_record set resolved_at = now() where topic = ? and partition = ? and \"offset\" = ?")
                .params(topic, partition, offset)
                .update();
        return Reread.DONE;
    }

    private Reading read(ResultSet row) throws SQLException {
        Map<String, String> headers = json.readValue(Objects.requireNonNull(row.getString("headers")), HEADERS);
        Instant time = row.getObject("event_time", OffsetDateTime.class).toInstant();
        return reader.read(row.getBytes("value"), headers, time);
    }
}
