package dev.signups.email.delivery;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The ledger as an operator reads it, and starts failed deliveries again. */
@Repository
public class Deliveries {

    private static final int CHUNK = 1000;

    private static final String VIEW = """
            select sequence, user_id, email_type, status, attempts, next_attempt_at, last_error, created_at, sent_at,
              provider_message_id
            from email_delivery
            """;

    /** Back to the start, under a new key where the old one has certainly not been accepted. */
    private static final String REQUEUE = """
            status = 'PENDING', attempts = 0, next_attempt_at = now(), updated_at = now(),
              key_generation = d.key_generation + case when d.unknown_since is null then 1 else 0 end
            """;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;
    private final DeliveryProperties properties;

    Deliveries(JdbcClient jdbc, JdbcTemplate template, DeliveryProperties properties) {
        this.jdbc = jdbc;
        this.template = template;
        this.properties = properties;
    }

    /**
     * A page, newest first.
     *
     * @param deliveries its rows
     * @param next where the next page starts; null: this is the last
     */
    public record Page(
            List<DeliveryView> deliveries, @Nullable Long next) {}

    /**
     * Which failed deliveries to start again.
     *
     * @param reason a part of the last error
     * @param failedAfter given up at or after this time
     * @param failedBefore given up before this time
     * @param limit at most so many
     */
    public record Selection(
            @Nullable String reason,
            @Nullable Instant failedAfter,
            @Nullable Instant failedBefore,
            int limit) {}

    /** What became of the wish to start one delivery again. */
    public enum Requeued {
        /** It is due now. */
        DONE,
        /** There is no such delivery. */
        MISSING,
        /** It has not failed. */
        NOT_FAILED,
        /** The address is to get no e-mail. */
        SUPPRESSED,
        /** It may have been delivered, and the provider may have forgotten the key: a second copy is possible. */
        MAY_BE_DELIVERED
    }

    /**
     * What is in the ledger.
     *
     * @param open rows that wait or are being sent
     * @param sending those being sent
     * @param failed rows given up
     * @param oldest age of the oldest open one
     */
    public record Figures(long open, long sending, long failed, Duration oldest) {}

    public Optional<DeliveryView> find(DeliveryId id) {
        return jdbc.sql(VIEW + " where user_id = ? and email_type = ?")
                .params(id.userId(), id.emailType())
                .query((row, n) -> view(row))
                .optional();
    }

    /** Deliveries of one status, or all. */
    public Page list(@Nullable DeliveryStatus status, int limit, @Nullable Long before) {
        List<Long> sequences = new ArrayList<>();
        // a text of its own per status lets the planner use the partial indexes
        String only = status == null ? "" : " and status = '" + status + "'";
        List<DeliveryView> rows = jdbc.sql(VIEW + " where sequence < ?" + only + " order by sequence desc limit ?")
                .params(before == null ? Long.MAX_VALUE : before, limit + 1)
                .query((row, n) -> {
                    sequences.add(row.getLong("sequence"));
                    return view(row);
                })
                .list();
        boolean more = rows.size() > limit;
        return new Page(more ? rows.subList(0, limit) : rows, more ? sequences.get(limit - 1) : null);
    }

    /**
     * Starts one failed delivery again.
     *
     * @param force even if it may have been delivered already
     */
    public Requeued requeue(DeliveryId id, boolean force) {
        int changed = template.update(
                "update email_delivery d set " + REQUEUE + """
                          , unknown_since = case when ? then null else d.unknown_since end
                        where d.user_id = ? and d.email_type = ? and d.status = 'FAILED'
                          and (? or d.unknown_since is null or d.unknown_since > now() - ? * interval '1 millisecond')
                          and not exists (select 1 from suppressed_address s where s.address = lower(d.recipient))
                        """,
                force,
                id.userId(),
                id.emailType(),
                force,
                properties.resendWindow().toMillis());
        return changed == 1 ? Requeued.DONE : reason(id);
    }

    private Requeued reason(DeliveryId id) {
        return jdbc.sql("""
                        select status = 'FAILED',
                          exists (select 1 from suppressed_address s where s.address = lower(d.recipient))
                        from email_delivery d where user_id = ? and email_type = ?
                        """)
                .params(id.userId(), id.emailType())
                .query((row, n) -> {
                    if (!row.getBoolean(1)) {
                        return Requeued.NOT_FAILED;
                    }
                    return row.getBoolean(2) ? Requeued.SUPPRESSED : Requeued.MAY_BE_DELIVERED;
                })
                .optional()
                .orElse(Requeued.MISSING);
    }

    /**
     * Starts failed deliveries again, oldest first, in chunks: whoever is killed half-way has done a part for good, and
     * the same call again does the rest. Leaves out suppressed addresses and those that may have been delivered.
     *
     * @return how many
     */
    public int requeue(Selection selection) {
        int done = 0;
        while (done < selection.limit()) {
            int changed = requeueChunk(selection, Math.min(CHUNK, selection.limit() - done));
            if (changed == 0) {
                break;
            }
            done += changed;
        }
        return done;
    }

    private int requeueChunk(Selection selection, int limit) {
        return jdbc.sql("""
                        with chosen as (
                          select user_id, email_type from email_delivery d where status = 'FAILED'
                            and (unknown_since is null or unknown_since > now() - :window * interval '1 millisecond')
                            and (:reason::text is null or position(:reason in last_error) > 0)
                            and (:after::timestamptz is null or updated_at >= :after)
                            and (:before::timestamptz is null or updated_at < :before)
                            and not exists (select 1 from suppressed_address s where s.address = lower(d.recipient))
                          order by sequence limit :limit for update skip locked
                        )
                        update email_delivery d set \
                        """ + REQUEUE + " from chosen c where d.user_id = c.user_id and d.email_type = c.email_type")
                .param("window", properties.resendWindow().toMillis())
                .param("reason", selection.reason())
                .param("after", utc(selection.failedAfter()))
                .param("before", utc(selection.failedBefore()))
                .param("limit", limit)
                .update();
    }

    public Figures figures() {
        return jdbc.sql("""
                        select o.open, o.sending, f.failed, o.oldest from
                          (select count(*) as open, count(*) filter (where status = 'SENDING') as sending,
                             coalesce(extract(epoch from now() - min(event_time)), 0) * 1000 as oldest
                           from email_delivery where status in ('PENDING', 'SENDING')) o,
                          (select count(*) as failed from email_delivery where status = 'FAILED') f
                        """)
                .query((row, n) -> new Figures(
                        row.getLong("open"),
                        row.getLong("sending"),
                        row.getLong("failed"),
                        Duration.ofMillis(Math.max(0, row.getLong("oldest")))))
                .single();
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static DeliveryView view(ResultSet row) throws SQLException {
        return new DeliveryView(
                row.getString("user_id"),
                row.getString("email_type"),
                DeliveryStatus.valueOf(row.getString("status")),
                row.getInt("attempts"),
                instant(row, "next_attempt_at"),
                row.getString("last_error"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "sent_at"),
                row.getString("provider_message_id"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }
}
