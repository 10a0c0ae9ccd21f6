package dev.signups.email.delivery;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Addresses that get no e-mail. A delivery to one fails without a call, now or when it is next due. */
@Repository
public class Suppressions {

    private final JdbcClient jdbc;

    Suppressions(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Suppresses the address; returns whether it was not before. */
    public boolean add(String address, @Nullable String reason, String by) {
        return jdbc.sql("""
                                insert into suppressed_address (address, reason, created_by)
                                values (lower(:address), :reason, :by) on conflict do nothing
                                """)
                        .param("address", address.toLowerCase(Locale.ROOT))
                        .param("reason", reason)
                        .param("by", by)
                        .update()
                == 1;
    }

    /** Takes the suppression back; returns whether there was one. */
    public boolean remove(String address) {
        return jdbc.sql("delete from suppressed_address where address = lower(?)")
                        .param(address.toLowerCase(Locale.ROOT))
                        .update()
                == 1;
    }
}
