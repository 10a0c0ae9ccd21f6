package dev.signups.relay.engine;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Reads the records of an unchanged Debezium connector that provides transaction metadata. */
final class StockRecords {

    private final Map<Long, Integer> confirmable = new HashMap<>();

    List<Change> read(List<SourceRecord> batch) {
        confirmable.clear();
        List<Change> changes = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            Change change = read(batch.get(i));
            if (change != null) {
                changes.add(change);
                switch (change) {
                    case Change.End end -> confirmable.put(end.endLsn(), i);
                    case Change.Mark mark -> confirmable.put(mark.lsn(), i);
                    case Change.Begin begin -> {}
                    case Change.Row row -> {}
                }
            }
        }
        return changes;
    }

    /** Which record of the batch read last stands at this place of the log. */
    int indexAt(long lsn) {
        Integer index = confirmable.get(lsn);
        if (index == null) {
            throw new IllegalStateException("no record of this batch ends at " + lsn);
        }
        return index;
    }

    private static @Nullable Change read(SourceRecord record) {
        Struct value = (Struct) record.value();
        if (value == null) {
            return null;
        }
        if (value.schema().field("status") != null) {
            long txid = txid(value.getString("id"));
            return switch (value.getString("status")) {
                case "BEGIN" -> new Change.Begin(txid);
                case "END" -> new Change.End(txid, offset(record, "lsn_commit"));
                default -> throw new IllegalStateException("unknown transaction status " + value.getString("status"));
            };
        }
        return switch (value.getString("op")) {
            case "m" -> mark(value);
            case "c" -> row(value);
            default -> null;
        };
    }

    private static Change mark(Struct value) {
        Struct message = value.getStruct("message");
        Object content = message.get("content");
        byte[] bytes = content instanceof byte[] array ? array : ((java.nio.ByteBuffer) content).array();
        return new Change.Mark(
                value.getStruct("source").getInt64("lsn"),
                message.getString("prefix"),
                new String(bytes, StandardCharsets.UTF_8));
    }

    private static Change row(Struct value) {
        Struct source = value.getStruct("source");
        Struct after = value.getStruct("after");
        String createdAt = text(after, "created_at");
        return new Change.Row(
                txid(value.getStruct("transaction").getString("id")),
                new OutboxRow(
                        String.valueOf(text(after, "id")),
                        text(after, "aggregatetype"),
                        text(after, "aggregateid"),
                        text(after, "type"),
                        text(after, "payload"),
                        text(after, "traceparent"),
                        time(createdAt)),
                Instant.ofEpochMilli(source.getInt64("ts_ms")),
                Instant.ofEpochMilli(value.getInt64("ts_ms")));
    }

    /** Null for what is no time outside PostgreSQL, as its infinities. */
    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static @Nullable String text(Struct row, String column) {
        Field field = row.schema().field(column);
        Object value = field == null ? null : row.get(field);
        return value == null ? null : value.toString();
    }

    /** The id is {@code txid:LSN of the record}; only the first part is the same throughout a transaction. */
    private static long txid(String id) {
        int colon = id.indexOf(':');
        return Long.parseLong(colon < 0 ? id : id.substring(0, colon));
    }

    private static long offset(SourceRecord record, String key) {
        if (record.sourceOffset().get(key) instanceof Long lsn) {
            return lsn;
        }
        throw new IllegalStateException("the end of a transaction comes without " + key);
    }
}
