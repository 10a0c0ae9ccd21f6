package dev.signups.relay.relay;

import dev.signups.relay.change.Change;
import dev.signups.relay.slot.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * A message that the relay writes into the log at intervals and waits for at the other end: it lets the slot move while
 * the outbox is idle, and shows that server, slot, connection, decoder, engine and Kafka all work.
 */
final class Heartbeat {

    private static final String PREFIX = "outbox-relay";

    private final Duration interval;
    private final RelayStatus status;
    private final String content = UUID.randomUUID().toString();
    private long next;
    private volatile boolean returned;

    Heartbeat(Duration interval, RelayStatus status) {
        this.interval = interval;
        this.status = status;
        status.heartbeat();
    }

    /** Writes the message if it is time to. */
    void beat(Connection connection) throws SQLException {
        if (next == 0 || System.nanoTime() - next >= 0) {
            next = System.nanoTime() + interval.toNanos();
            Database.query(connection, "select pg_logical_emit_message(false, ?, ?)", PREFIX, content);
        }
    }

    /** All before this mark is published. */
    void returned(Change.Mark mark) {
        if (mark.prefix().equals(PREFIX) && mark.content().equals(content)) {
            returned = true;
            status.heartbeat();
        }
    }

    boolean hasReturned() {
        return returned;
    }

    boolean isSilentFor(Duration limit) {
        return status.heartbeatAge().compareTo(limit) > 0;
    }
}
