package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.DatabaseProperties;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration(proxyBeanMethods = false)
class RelayConfiguration {

    @Bean
    Database database(DatabaseProperties properties) {
        return new Database(properties);
    }

    @Bean
    @Profile("!command")
    OutboxRelay outboxRelay(
            RelayProperties properties,
            EngineProperties engine,
            PublishProperties kafka,
            Database database,
            RelayStatus status,
            ApplicationContext context) {
        return new OutboxRelay(properties, engine, kafka, database, status, () -> exit(context));
    }

    /** Off the relay's own thread, which the closing of the context waits for. */
    private static void exit(ApplicationContext context) {
        Thread.ofPlatform().name("relay-exit").start(() -> System.exit(SpringApplication.exit(context, () -> 1)));
    }
}
