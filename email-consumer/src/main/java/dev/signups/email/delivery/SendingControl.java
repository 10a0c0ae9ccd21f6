package dev.signups.email.delivery;

import java.time.Duration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** What all instances obey, and what a restart does not forget: the operator's pause, and the provider's 429. */
@Repository
class SendingControl {

    private final JdbcTemplate jdbc;

    SendingControl(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The state of the one row.
     *
     * @param paused whether an operator has stopped sending
     * @param throttled how long the provider still wants no calls
     */
    record State(boolean paused, Duration throttled) {}

    State read() {
        return jdbc.query("""
                        select paused,
                          greatest(0, coalesce(extract(epoch from throttled_until - clock_timestamp()), 0) * 1000)::bigint
                        from sending_control
                        """, (row, n) -> new State(row.getBoolean(1), Duration.ofMillis(row.getLong(2))))
                .getFirst();
    }

    void pause(boolean paused, String by) {
        jdbc.update("update sending_control set paused = ?, changed_by = ?, changed_at = now()", paused, by);
    }

    void throttle(Duration wait) {
        jdbc.update("""
                update sending_control set throttled_until =
                  greatest(throttled_until, clock_timestamp() + ? * interval '1 millisecond')
                """, wait.toMillis());
    }
}
