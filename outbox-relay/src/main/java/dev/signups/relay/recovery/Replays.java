package dev.signups.relay.recovery;

import dev.signups.relay.change.OutboxRow;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.publish.ReplayPublisher;
import dev.signups.relay.slot.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Publishes rows of the outbox again, marked with the header {@code replay: true}, to their topic or to another.
 *
 * <p>Not exactly once, by intent and by means: a replay that is cut off may be asked for again.
 */
public final class Replays {

    private static final int MAX_IDS = 10_000;

    private final Database database;
    private final PublishProperties properties;

    /**
     * @param database the outbox's
     * @param properties where the topics are
     */
    public Replays(Database database, PublishProperties properties) {
        this.database = database;
        this.properties = properties;
    }

    /**
     * Publishes the selected rows in order of writing; returns when Kafka has acknowledged all.
     *
     * @throws IllegalArgumentException if the selection is not one of ids, a time or an aggregate
     */
    public Result replay(Selection selection) throws SQLException, InterruptedException {
        List<Object> parameters = new ArrayList<>();
        String where = selection.where(parameters);
        try (Connection connection = database.openForScan("outbox-relay replay");
                ReplayPublisher publisher = new ReplayPublisher(properties, selection.topic())) {
            connection.setAutoCommit(false);
            OutboxTable table =
                    new OutboxTable(connection, database.properties().table());
            table.rows(where, parameters, (OutboxRow row) -> publisher.send(row));
            publisher.flush();
            connection.rollback();
            return new Result(publisher.sent(), publisher.refused());
        }
    }

    /**
     * Which rows; exactly one of ids, a time or an aggregate.
     *
     * @param ids rows by id
     * @param from rows written then or later
     * @param to rows written before
     * @param aggregateId rows of one aggregate
     * @param topic where to, null for each row's own
     */
    public record Selection(
            @Nullable List<UUID> ids,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String aggregateId,
            @Nullable String topic) {

        String where(List<Object> parameters) {
            boolean time = from != null || to != null;
            int ways = (ids != null ? 1 : 0) + (time ? 1 : 0) + (aggregateId != null ? 1 : 0);
            if (ways != 1) {
                throw new IllegalArgumentException("give either ids, or from and to, or aggregateId");
            }
            if (topic != null && !topic.matches("[A-Za-z0-9._-]{1,249}")) {
                throw new IllegalArgumentException("topic is not a legal name");
            }
            if (ids != null) {
                if (ids.isEmpty() || ids.size() > MAX_IDS) {
                    throw new IllegalArgumentException("ids must be 1 to " + MAX_IDS);
                }
                parameters.add(ids.toArray(UUID[]::new));
                return "id = any(?)";
            }
            if (aggregateId != null) {
                parameters.add(aggregateId);
                return "aggregateid = ?";
            }
            if (from == null || to == null || !from.isBefore(to)) {
                throw new IllegalArgumentException("from and to must both be given, from before to");
            }
            parameters.add(from);
            parameters.add(to);
            return "created_at >= ? and created_at < ?";
        }
    }

    /**
     * What was done.
     *
     * @param replayed rows that Kafka acknowledged
     * @param refused rows that cannot be records or that Kafka refused
     */
    public record Result(long replayed, long refused) {}
}
