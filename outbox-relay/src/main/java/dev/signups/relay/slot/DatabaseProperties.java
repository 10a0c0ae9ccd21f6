package dev.signups.relay.slot;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The outbox's database.
 *
 * @param url JDBC address of the primary; parameters (TLS and the like) hold for the replication connection too
 * @param user a role with LOGIN, REPLICATION and SELECT on the outbox
 * @param password the role's password, may be empty
 * @param slot replication slot, made when it is missing
 * @param failover whether the slot is made as a failover slot (PostgreSQL 17 and later)
 * @param publication publication of the outbox's inserts
 * @param table the outbox as `schema.table`
 * @param heartbeat how often the relay writes a message into the log: lets the slot move while the outbox is idle, and
 *     shows that the connection is alive
 */
@Validated
@ConfigurationProperties("relay.database")
public record DatabaseProperties(
        @DefaultValue("jdbc:postgresql://127.0.0.1:15432/signup")
        @NotBlank @Pattern(regexp = "jdbc:postgresql:.*", message = "must be a jdbc:postgresql: address (DB_URL)")
        String url,

        @DefaultValue("relay") @NotBlank String user,
        @DefaultValue("") String password,

        @DefaultValue("outbox_relay") @Pattern(regexp = "[a-z0-9_]{1,63}") String slot,

        @DefaultValue("false") boolean failover,

        @DefaultValue("outbox") @Pattern(regexp = "[A-Za-z0-9_]{1,63}") String publication,

        @DefaultValue("public.outbox") @Pattern(regexp = "[A-Za-z0-9_]+\\.[A-Za-z0-9_]+") String table,

        @DefaultValue("5s") Duration heartbeat) {

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "DatabaseProperties[user=" + user + ", slot=" + slot + ", table=" + table + "]";
    }
}
