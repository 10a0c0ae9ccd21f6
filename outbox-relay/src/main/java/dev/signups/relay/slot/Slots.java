package dev.signups.relay.slot;

import dev.signups.relay.change.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the replication slot, together with a view of the table as it was at that very place in the log. */
public final class Slots {

    private static final Logger log = LoggerFactory.getLogger(Slots.class);

    private Slots() {}

    /**
     * Drops the slot, if there is one, and makes it anew.
     *
     * @return the new slot; while it is open its snapshot can be used
     */
    public static NewSlot recreate(Database database) throws SQLException {
        DatabaseProperties p = database.properties();
        try (Connection connection = database.open("outbox-relay slot")) {
            Database.query(
                    connection,
                    "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ?",
                    p.slot());
        }
        Connection replication = database.openForReplication("outbox-relay slot");
        try (Statement statement = replication.createStatement();
                ResultSet row = statement.executeQuery("CREATE_REPLICATION_SLOT \"" + p.slot()
                        + "\" LOGICAL pgoutput (SNAPSHOT 'export'" + (p.failover() ? ", FAILOVER true" : "") + ")")) {
            if (!row.next()) {
                throw new SQLException("CREATE_REPLICATION_SLOT gave no answer");
            }
            long start = Lsn.parse(row.getString("consistent_point"));
            log.atInfo()
                    .addKeyValue("slot", p.slot())
                    .addKeyValue("lsn", Lsn.format(start))
                    .log("replication slot created");
            return new NewSlot(replication, start, row.getString("snapshot_name"));
        } catch (SQLException e) {
            replication.close();
            throw e;
        }
    }

    /**
     * A slot just made.
     *
     * @param connection keeps the snapshot; must do nothing else
     * @param start where the slot begins: what committed before is in the snapshot, what commits after is in the log
     * @param snapshot to be given to {@code set transaction snapshot}
     */
    public record NewSlot(Connection connection, long start, String snapshot) implements AutoCloseable {

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
