package dev.signups.relay.relay;

import dev.signups.relay.slot.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leader per slot, by a session-level advisory lock: the server gives it up with the session, so a killed leader is
 * replaced as soon as its connection ends.
 *
 * <p>A leader that stands still (paused, swapped out, cut off) keeps its session. It is expected to say something on it
 * every second; after a lease of silence a standby ends the session, as the role may with its own. That the old leader
 * cannot publish when it wakes up is not this lock's doing but the fencing of its producer.
 */
final class Leadership implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Leadership.class);
    private static final int LOCK_CLASS = 0x6f627831;

    private final Database database;
    private final String slot;
    private final Duration lease;
    private @Nullable Connection session;

    Leadership(Database database, Duration lease) {
        this.database = database;
        this.slot = database.properties().slot();
        this.lease = lease;
    }

    /** Takes the lock if nobody holds it. */
    synchronized boolean tryAcquire() throws SQLException {
        Connection connection = session;
        if (connection == null || connection.isClosed()) {
            connection = database.open("outbox-relay leadership");
            session = connection;
        }
        try {
            if (is(Database.query(connection, "select pg_try_advisory_lock(?, hashtext(?))", LOCK_CLASS, slot))) {
                endStream(connection);
                return true;
            }
            endSilentLeader(connection);
            return false;
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    /** Asks the server, on the session that holds the lock: true means that this relay led a moment ago. */
    synchronized boolean isHeld() {
        Connection connection = session;
        try {
            return connection != null
                    && !connection.isClosed()
                    && is(Database.query(connection, """
                            select exists (select from pg_locks
                                           where locktype = 'advisory' and classid = ? and granted
                                             and objid = (hashtext(?)::bigint & 4294967295)::oid
                                             and pid = pg_backend_pid())""", LOCK_CLASS, slot));
        } catch (SQLException e) {
            log.atDebug().setCause(e).log("leadership lost");
            return false;
        }
    }

    @Override
    public synchronized void close() {
        Connection connection = session;
        session = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                log.atDebug().setCause(e).log("closing the session of the lock failed");
            }
        }
    }

    /** state_change is the time of the last answer to the leader's last question. */
    private void endSilentLeader(Connection connection) throws SQLException {
        String ended = Database.query(connection, """
                select pg_terminate_backend(l.pid)
                from pg_locks l join pg_stat_activity a using (pid)
                where l.locktype = 'advisory' and l.granted and l.classid = ?
                  and l.objid = (hashtext(?)::bigint & 4294967295)::oid
                  and l.database = (select oid from pg_database where datname = current_database())
                  and a.state = 'idle' and clock_timestamp() - a.state_change > make_interval(secs => ?)""", LOCK_CLASS, slot, lease.toMillis() / 1000.0);
        if (is(ended)) {
            log.atWarn()
                    .addKeyValue("lease", lease)
                    .log("the leader has been silent for a lease: its session is ended");
        }
    }

    /** The stream of a leader that lost its lock but not its replication connection. */
    private void endStream(Connection connection) throws SQLException {
        String ended = Database.query(connection, """
                select pg_terminate_backend(active_pid, 5000) from pg_replication_slots
                where slot_name = ? and active_pid is not null""", slot);
        if (ended != null) {
            log.atWarn().log("the previous leader's stream was still open: it is ended");
        }
    }

    private static boolean is(@Nullable String value) {
        return "t".equals(value);
    }
}
