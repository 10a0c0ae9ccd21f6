package dev.signups.service.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes outbox rows past their retention, and never one that is not published.
 *
 * <p>One round notes the rows that are old enough, then the position of the write-ahead log. Those rows were committed
 * before that position, so once the relay has confirmed it they are published, and a later round deletes exactly them.
 * That holds only while one and the same relay session streams from the slot: a slot that is gone, idle or in other
 * hands proves nothing, so the round notes anew. A relay must not stream before it has closed its gaps.
 *
 * <p>Safe with any number of instances: each deletes only what it has proof for, and a lock lets one work at a time.
 */
@Component
class OutboxPurge {

    private static final Logger log = LoggerFactory.getLogger(OutboxPurge.class);
    private static final int BATCHES_A_ROUND = 20;
    private static final long LOCK = 0x6F_7574_626F_78L; // "outbox"

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final OutboxProperties properties;
    private final Counter purged;

    private @Nullable Note note;
    private volatile double oldestAgeSeconds;
    private volatile State state = State.IDLE;

    OutboxPurge(JdbcClient jdbc, TransactionTemplate transaction, OutboxProperties properties, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.properties = properties;
        this.purged = Counter.builder("outbox.purged.rows")
                .description("Published rows deleted after their retention")
                .register(meters);
        Gauge.builder("outbox.oldest.row.age", () -> oldestAgeSeconds)
                .description("Age of the oldest outbox row at the last look")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("outbox.purge.blocked", () -> state.blocked ? 1 : 0)
                .description("1 while rows are past their retention and nothing proves them published")
                .register(meters);
    }

    @Scheduled(
            fixedDelayString = "${signup.outbox.purge-interval:10s}",
            initialDelayString = "${signup.outbox.purge-interval:10s}")
    void tick() {
        try {
            round();
        } catch (DataAccessException e) {
            // the database is away, which readiness tells; what was noted stays true
            enter(State.NO_DATABASE);
        }
    }

    /** One round: deletes what the last note and the slot prove to be published, then notes what comes next. */
    void round() {
        oldestAgeSeconds = oldestAge();
        Optional<Slot> slot = slot();
        Note noted = note;
        if (noted != null) {
            boolean sameSession =
                    slot.isPresent() && noted.session().equals(slot.get().session());
            boolean confirmed = sameSession && slot.get().confirmed();
            if (confirmed) {
                delete(noted.ids());
            }
            if (confirmed || !sameSession) {
                note = null;
            }
        }
        if (note == null) {
            note = take(slot);
        }
    }

    private @Nullable Note take(Optional<Slot> slot) {
        List<UUID> ids = jdbc.sql("""
                        select id from outbox
                         where created_at < now() - make_interval(secs => ?)
                         order by created_at
                         limit ?""")
                .params(properties.retention().toMillis() / 1000.0, properties.purgeBatch() * BATCHES_A_ROUND)
                .query((row, number) -> row.getObject("id", UUID.class))
                .list();
        if (ids.isEmpty()) {
            enter(State.IDLE);
            return null;
        }
        if (slot.isEmpty()) {
            enter(State.NO_SLOT);
            return null;
        }
        String session = slot.get().session();
        if (session == null) {
            enter(State.NO_RELAY);
            return null;
        }
        // after the rows were seen, so that their commits lie before it
        String position = jdbc.sql("select pg_current_wal_insert_lsn()::text")
                .query(String.class)
                .single();
        enter(State.WAITING);
        return new Note(ids, position, session);
    }

    private Optional<Slot> slot() {
        Note noted = note;
        return jdbc.sql("""
                        select case when active then active_pid::text end as session,
                               coalesce(confirmed_flush_lsn >= ?::pg_lsn, false) as confirmed
                          from pg_replication_slots
                         where slot_name = ? and database = current_database()""")
                .params(noted == null ? "0/0" : noted.position(), properties.slot())
                .query((row, number) -> new Slot(row.getString("session"), row.getBoolean("confirmed")))
                .optional();
    }

    private void delete(List<UUID> ids) {
        for (int from = 0; from < ids.size(); from += properties.purgeBatch()) {
            UUID[] batch = ids.subList(from, Math.min(ids.size(), from + properties.purgeBatch()))
                    .toArray(UUID[]::new);
            Integer deleted = transaction.execute(status -> deleteAlone(batch));
            purged.increment(deleted == null ? 0 : deleted);
        }
    }

    private int deleteAlone(UUID[] batch) {
        boolean alone = jdbc.sql("select pg_try_advisory_xact_lock(?)")
                .param(LOCK)
                .query(Boolean.class)
                .single();
        // another instance is at it, with the same rows or the ones after them
        return alone
                ? jdbc.sql("delete from outbox where id = any(?)").param(batch).update()
                : 0;
    }

    private double oldestAge() {
        return jdbc.sql("select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from outbox")
                .query(Double.class)
                .single();
    }

    private void enter(State next) {
        State before = state;
        state = next;
        if (before != next && next.blocked) {
            log.warn("The outbox is not purged: {} slot={}", next.reason, properties.slot());
        } else if (before.blocked && !next.blocked) {
            log.info("The outbox is purged again");
        }
    }

    private record Note(List<UUID> ids, String position, String session) {}

    /**
     * @param session the process that streams from the slot; null when none does
     * @param confirmed whether it has confirmed the noted position
     */
    private record Slot(@Nullable String session, boolean confirmed) {}

    private enum State {
        /** Nothing is past its retention. */
        IDLE(false, ""),
        /** Rows are noted; the relay is about to confirm their position. */
        WAITING(false, ""),
        /** No slot: what is in the table may all be unpublished. */
        NO_SLOT(true, "the relay's replication slot does not exist, start outbox-relay"),
        /** A slot that nobody reads may have gaps that the relay has yet to close. */
        NO_RELAY(true, "nobody reads from the relay's replication slot, start outbox-relay"),
        /** The database could not be asked. */
        NO_DATABASE(true, "the database cannot be reached");

        private final boolean blocked;
        private final String reason;

        State(boolean blocked, String reason) {
            this.blocked = blocked;
            this.reason = reason;
        }
    }
}
