package dev.signups.email.delivery;

import dev.signups.email.delivery.Result.Failed;
import dev.signups.email.delivery.Result.Retry;
import dev.signups.email.delivery.Result.Sent;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The ledger: every change of a delivery's state, each one statement guarded by the state it starts from.
 *
 * <p>A success wins over any state but {@code SENT}; anything else needs the claim's token. A claim whose holder died
 * is taken over after its lease. Every time is the database's, so instances may have clocks of their own. A row that
 * the provider may have accepted is sent again only under its old key and only while the provider remembers keys.
 */
@Repository
class DeliveryLog {

    private static final TypeReference<HashMap<String, String>> ARGUMENTS = new TypeReference<>() {};

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final JsonMapper json;
    private final DeliveryProperties properties;

    DeliveryLog(JdbcTemplate jdbc, TransactionTemplate transaction, JsonMapper json, DeliveryProperties properties) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.json = json;
        this.properties = properties;
    }

    /**
     * What an insert did.
     *
     * @param inserted rows that were new
     * @param claimed those of them that the caller now holds
     */
    record Inserted(int inserted, List<Delivery> claimed) {}

    /** Inserts those that are new, the first {@code claim} of them (by place in the list) already claimed. */
    Inserted insert(List<NewDelivery> batch, int claim) {
        UUID token = UUID.randomUUID();
        List<Delivery> claimed = new ArrayList<>();
        List<Boolean> rows = jdbc.query(
                connection -> {
                    PreparedStatement insert = connection.prepareStatement("""
                            insert into email_delivery (user_id, email_type, recipient, arguments, event_id, event_time,
                              status, attempts, next_attempt_at, claim_token, lease_until, unknown_since,
                              last_outcome, last_error)
                            select r.user_id, r.email_type, r.recipient, r.arguments::jsonb, r.event_id,
                              r.event_time::timestamptz, n.status,
                              case when n.status = 'SENDING' then 1 else 0 end,
                              case when n.status = 'PENDING' then now() end,
                              case when n.status = 'SENDING' then ?::uuid end,
                              case when n.status = 'SENDING' then now() + ? * interval '1 millisecond' end,
                              case when n.status = 'SENDING' then now() end,
                              case when n.status = 'FAILED' then 'suppressed' end,
                              case when n.status = 'FAILED' then 'address suppressed' end
                            from unnest(?, ?, ?, ?, ?, ?) with ordinality
                              as r(user_id, email_type, recipient, arguments, event_id, event_time, place)
                            left join suppressed_address s on s.address = lower(r.recipient)
                            cross join lateral (select case when s.address is not null then 'FAILED'
                              when r.place <= ? then 'SENDING' else 'PENDING' end as status) n
                            order by r.place
                            on conflict (user_id, email_type) do nothing
                            returning user_id, email_type, status, claim_token, attempts, key_generation, recipient,
                              arguments, event_time, true as certain, false as suppressed
                            """);
                    insert.setObject(1, token);
                    insert.setLong(2, properties.lease().toMillis());
                    insert.setArray(3, texts(connection, batch, d -> d.id().userId()));
                    insert.setArray(4, texts(connection, batch, d -> d.id().emailType()));
                    insert.setArray(5, texts(connection, batch, NewDelivery::recipient));
                    insert.setArray(6, texts(connection, batch, d -> json.writeValueAsString(d.arguments())));
                    insert.setArray(7, texts(connection, batch, NewDelivery::eventId));
                    insert.setArray(
                            8, texts(connection, batch, d -> d.eventTime().toString()));
                    insert.setInt(9, claim);
                    return insert;
                },
                (row, n) -> {
                    boolean sending = "SENDING".equals(row.getString("status"));
                    if (sending) {
                        claimed.add(delivery(row));
                    }
                    return sending;
                });
        return new Inserted(rows.size(), claimed);
    }

    /**
     * Claims rows that are due, the longest due first: those that wait for an attempt, and those whose holder let the
     * lease run out. Rows that somebody else is claiming are passed over.
     */
    List<Delivery> claimDue(int limit) {
        return jdbc.query(
                """
                with waiting as (
                  select user_id, email_type, unknown_since from email_delivery
                  where status = 'PENDING' and next_attempt_at <= now()
                    and (unknown_since is null or unknown_since > now() - ? * interval '1 millisecond')
                  order by next_attempt_at limit ? for update skip locked
                ), abandoned as (
                  select user_id, email_type, unknown_since from email_delivery
                  where status = 'SENDING' and lease_until <= now() and attempts < ?
                    and (unknown_since is null or unknown_since > now() - ? * interval '1 millisecond')
                  order by lease_until limit ? for update skip locked
                ), due as (
                  select * from abandoned union all select * from waiting limit ?
                )
                update email_delivery d set status = 'SENDING', attempts = d.attempts + 1, next_attempt_at = null,
                  claim_token = ?, lease_until = now() + ? * interval '1 millisecond',
                  unknown_since = coalesce(d.unknown_since, now()), updated_at = now()
                from due where d.user_id = due.user_id and d.email_type = due.email_type
                returning d.user_id, d.email_type, d.claim_token, d.attempts, d.key_generation, d.recipient, d.arguments,
                  d.event_time, due.unknown_since is null as certain,
                  exists (select 1 from suppressed_address s where s.address = lower(d.recipient)) as suppressed
                """,
                (row, n) -> delivery(row),
                resendWindow(),
                limit,
                properties.attempts(),
                resendWindow(),
                limit,
                limit,
                UUID.randomUUID(),
                properties.lease().toMillis());
    }

    /**
     * Gives up the due rows that must not be sent again: accepted or not is unknown, and the provider may have
     * forgotten the key, or the last attempt was cut off by a crash.
     *
     * @return how many
     */
    int giveUpUnknown() {
        return jdbc.update("""
                update email_delivery set status = 'FAILED', next_attempt_at = null, claim_token = null,
                  lease_until = null, updated_at = now(), last_outcome = 'unknown',
                  last_error = case when unknown_since <= now() - ? * interval '1 millisecond'
                    then 'outcome unknown: an attempt may have been accepted, and the provider may have forgotten the key'
                    else 'outcome unknown: the last attempt was cut off' end
                where (status = 'PENDING' and next_attempt_at <= now()
                       and unknown_since <= now() - ? * interval '1 millisecond')
                   or (status = 'SENDING' and lease_until <= now()
                       and (attempts >= ? or unknown_since <= now() - ? * interval '1 millisecond'))
                """, resendWindow(), resendWindow(), properties.attempts(), resendWindow());
    }

    /** Lengthens the leases of deliveries that are still held. */
    int renew(Collection<Delivery> held) {
        List<Delivery> rows = List.copyOf(held);
        return jdbc.update(connection -> {
            PreparedStatement renew = connection.prepareStatement("""
                    update email_delivery d set lease_until = now() + ? * interval '1 millisecond', updated_at = now()
                    from unnest(?, ?, ?::uuid[]) as r(user_id, email_type, token)
                    where d.user_id = r.user_id and d.email_type = r.email_type
                      and d.status = 'SENDING' and d.claim_token = r.token
                    """);
            renew.setLong(1, properties.lease().toMillis());
            renew.setArray(2, texts(connection, rows, d -> d.id().userId()));
            renew.setArray(3, texts(connection, rows, d -> d.id().emailType()));
            renew.setArray(4, texts(connection, rows, d -> d.token().toString()));
            return renew;
        });
    }

    /** Writes results, all or none. Writing the same ones again changes nothing. */
    void record(List<? extends Result> results) {
        List<Sent> sent = new ArrayList<>();
        List<Result> others = new ArrayList<>();
        for (Result result : results) {
            if (result instanceof Sent accepted) {
                sent.add(accepted);
            } else {
                others.add(result);
            }
        }
        transaction.executeWithoutResult(status -> {
            if (!sent.isEmpty()) {
                markSent(sent);
            }
            if (!others.isEmpty()) {
                markUnsent(others);
            }
        });
    }

    private void markSent(List<Sent> sent) {
        jdbc.update(connection -> {
            PreparedStatement update = connection.prepareStatement("""
                    update email_delivery d set status = 'SENT', sent_at = now(), updated_at = now(),
                      provider_message_id = r.message_id, last_outcome = 'accepted', last_error = null,
                      next_attempt_at = null, claim_token = null, lease_until = null, unknown_since = null
                    from unnest(?, ?, ?) as r(user_id, email_type, message_id)
                    where d.user_id = r.user_id and d.email_type = r.email_type and d.status <> 'SENT'
                    """);
            update.setArray(1, texts(connection, sent, r -> r.delivery().id().userId()));
            update.setArray(2, texts(connection, sent, r -> r.delivery().id().emailType()));
            update.setArray(3, texts(connection, sent, Sent::messageId));
            return update;
        });
    }

    private void markUnsent(List<Result> results) {
        jdbc.update(connection -> {
            PreparedStatement update = connection.prepareStatement("""
                    update email_delivery d set
                      status = case when r.wait_ms is null then 'FAILED' else 'PENDING' end,
                      next_attempt_at = now() + r.wait_ms * interval '1 millisecond',
                      attempts = d.attempts - case when r.counted then 0 else 1 end,
                      unknown_since = case when r.certain then null else d.unknown_since end,
                      last_outcome = case when r.outcome = 'untried' then d.last_outcome else r.outcome end,
                      last_error = coalesce(r.error, d.last_error),
                      claim_token = null, lease_until = null, updated_at = now()
                    from unnest(?, ?, ?::uuid[], ?::bigint[], ?::boolean[], ?::boolean[], ?, ?)
                      as r(user_id, email_type, token, wait_ms, counted, certain, outcome, error)
                    where d.user_id = r.user_id and d.email_type = r.email_type
                      and d.status = 'SENDING' and d.claim_token = r.token
                    """);
            update.setArray(1, texts(connection, results, r -> r.delivery().id().userId()));
            update.setArray(2, texts(connection, results, r -> r.delivery().id().emailType()));
            update.setArray(
                    3, texts(connection, results, r -> r.delivery().token().toString()));
            update.setArray(4, texts(connection, results, DeliveryLog::waitMillis));
            update.setArray(5, texts(connection, results, r -> Boolean.toString(counted(r))));
            update.setArray(6, texts(connection, results, r -> Boolean.toString(certainlyUnsent(r))));
            update.setArray(7, texts(connection, results, DeliveryLog::outcome));
            update.setArray(8, texts(connection, results, DeliveryLog::error));
            return update;
        });
    }

    private static @Nullable String waitMillis(Result result) {
        return result instanceof Retry retry ? Long.toString(retry.delay().toMillis()) : null;
    }

    private static boolean counted(Result result) {
        return !(result instanceof Retry retry) || retry.counted();
    }

    private static boolean certainlyUnsent(Result result) {
        boolean refused = switch (result) {
            case Retry retry -> retry.refused();
            case Failed failed -> failed.refused();
            case Sent sent -> false;
        };
        return refused && result.delivery().certain();
    }

    private static String outcome(Result result) {
        return switch (result) {
            case Retry retry -> retry.outcome();
            case Failed failed -> failed.outcome();
            case Sent sent -> "accepted";
        };
    }

    private static @Nullable String error(Result result) {
        return switch (result) {
            case Retry retry -> retry.error();
            case Failed failed -> failed.error();
            case Sent sent -> null;
        };
    }

    private long resendWindow() {
        return properties.resendWindow().toMillis();
    }

    private Delivery delivery(ResultSet row) throws SQLException {
        Map<String, String> arguments = json.readValue(row.getString("arguments"), ARGUMENTS);
        Instant eventTime = row.getObject("event_time", OffsetDateTime.class).toInstant();
        return new Delivery(
                new DeliveryId(row.getString("user_id"), row.getString("email_type")),
                row.getObject("claim_token", UUID.class),
                row.getInt("attempts"),
                row.getInt("key_generation"),
                row.getString("recipient"),
                arguments,
                eventTime,
                row.getBoolean("certain"),
                row.getBoolean("suppressed"));
    }

    private static <T> Array texts(Connection connection, List<? extends T> rows, Function<T, @Nullable String> column)
            throws SQLException {
        @Nullable String[] values = new @Nullable String[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
        return connection.createArrayOf("text", values);
    }
}
