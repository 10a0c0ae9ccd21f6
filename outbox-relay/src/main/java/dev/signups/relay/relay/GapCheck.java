package dev.signups.relay.relay;

import dev.signups.relay.publish.PublishedPosition;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.DatabaseProperties;
import dev.signups.relay.slot.SlotState;
import dev.signups.relay.slot.StartupCheck;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Whether the slot's log goes on where publishing ended. */
final class GapCheck {

    private GapCheck() {}

    /** Why the log cannot be followed from where publishing ended; null if it can. */
    static @Nullable String run(
            Connection connection, DatabaseProperties properties, @Nullable PublishedPosition position)
            throws SQLException {
        SlotState slot = SlotState.read(connection, properties.slot());
        if (slot == null) {
            return position == null ? "first start" : "slot missing";
        }
        if (slot.isLost()) {
            return "slot lost";
        }
        if (position == null) {
            return "position missing";
        }
        if (position.isRecovering()) {
            return "recovery unfinished";
        }
        String system = Database.query(connection, "select system_identifier from pg_control_system()");
        if (!position.systemIdentifier().equals(system)) {
            return "another cluster";
        }
        if (slot.confirmedLsn() > position.confirmed()) {
            return "slot advanced by somebody else";
        }
        if (!position.publication().equals(StartupCheck.fingerprint(connection, properties.publication()))) {
            return "publication altered";
        }
        return null;
    }
}
