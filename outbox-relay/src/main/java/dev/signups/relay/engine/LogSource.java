package dev.signups.relay.engine;

import java.util.Map;

/**
 * Where the log comes from.
 *
 * @param hostname server
 * @param port its port
 * @param database the outbox's database
 * @param user a role with REPLICATION
 * @param password its password, may be empty
 * @param slot the replication slot, which must exist
 * @param publication the publication, which must exist
 * @param table the outbox, {@code schema.table}
 * @param driver more of the JDBC driver's properties (TLS and the like)
 */
public record LogSource(
        String hostname,
        int port,
        String database,
        String user,
        String password,
        String slot,
        String publication,
        String table,
        Map<String, String> driver) {

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "LogSource[" + hostname + ":" + port + "/" + database + ", slot=" + slot + "]";
    }
}
