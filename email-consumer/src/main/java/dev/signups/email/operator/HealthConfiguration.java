package dev.signups.email.operator;

import dev.signups.email.delivery.Sending;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** What readiness looks at besides the database. */
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {

    /** Named {@code kafka}: the broker answers and the poll loop lives. */
    @Bean
    HealthIndicator kafkaHealthIndicator(
            QueueMonitor monitor, ConcurrentMessageListenerContainer<byte[], byte[]> inboxContainer) {
        return () -> {
            boolean consuming = inboxContainer.isRunning() && inboxContainer.isInExpectedState();
            boolean up = consuming && monitor.isKafkaReachable();
            return (up ? Health.up() : Health.down())
                    .withDetail("reachable", monitor.isKafkaReachable())
                    .withDetail("consuming", consuming)
                    .withDetail("intakePaused", inboxContainer.isPauseRequested())
                    .build();
        };
    }

    /** Named {@code delivery}: the ledger is kept up to date and the provider takes our credential. */
    @Bean
    HealthIndicator deliveryHealthIndicator(Sending sending) {
        return () -> {
            String refused = sending.refusedCredential();
            if (refused != null) {
                return Health.down().withDetail("credential", refused).build();
            }
            return (sending.isHealthy() ? Health.up() : Health.down())
                    .withDetail("breaker", sending.breaker())
                    .withDetail("paused", sending.isPaused())
                    .build();
        };
    }
}
