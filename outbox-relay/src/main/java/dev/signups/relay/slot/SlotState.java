package dev.signups.relay.slot;

import dev.signups.relay.change.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The slot as the server shows it.
 *
 * @param confirmedLsn where the server sends from, 0 if it has none
 * @param activePid the server process that streams from it, 0 for none
 * @param walStatus {@code reserved}, {@code extended}, {@code unreserved} or {@code lost}
 * @param lagBytes log written since what was confirmed
 * @param retainedBytes log that the server keeps for the slot
 * @param safeBytes log that may still be written before the slot is lost, null without a limit
 */
public record SlotState(
        long confirmedLsn,
        int activePid,
        String walStatus,
        long lagBytes,
        long retainedBytes,
        @Nullable Long safeBytes) {

    private static final String QUERY = """
            select confirmed_flush_lsn, coalesce(active_pid, 0), coalesce(wal_status, 'reserved'),
                   pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint,
                   pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint,
                   safe_wal_size
            from pg_replication_slots where slot_name = ? and slot_type = 'logical' and database = current_database()""";

    /** Whether the log that the slot needs is gone. */
    public boolean isLost() {
        return "lost".equals(walStatus);
    }

    /** Reads the slot; null if there is none of that name in this database. */
    public static @Nullable SlotState read(Connection connection, String slot) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
            statement.setString(1, slot);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                String confirmed = row.getString(1);
                long safe = row.getLong(6);
                boolean unlimited = row.wasNull();
                return new SlotState(
                        confirmed == null ? 0 : Lsn.parse(confirmed),
                        row.getInt(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5),
                        unlimited ? null : safe);
            }
        }
    }
}
