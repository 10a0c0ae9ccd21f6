package dev.signups.relay.relay;

import java.util.Locale;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Part of readiness: up for a leader whose own message comes back through the log, and for a standby. */
@Component("relay")
final class RelayHealthIndicator implements HealthIndicator {

    private final RelayStatus status;

    RelayHealthIndicator(RelayStatus status) {
        this.status = status;
    }

    @Override
    public Health health() {
        String reason = status.reasonNotReady();
        Health.Builder health = reason == null ? Health.up() : Health.down().withDetail("reason", reason);
        return health.withDetail("role", status.role().name().toLowerCase(Locale.ROOT))
                .build();
    }
}
