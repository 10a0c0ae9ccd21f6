package dev.signups.relay.operator;

import dev.signups.relay.publish.DeadLetters;
import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.recovery.Audit;
import dev.signups.relay.recovery.Replays;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.StartupCheck;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OperatorConfiguration {

    @Bean
    DeadLetters deadLetters(PublishProperties properties) {
        return new DeadLetters(properties);
    }

    @Bean
    Replays replays(Database database, PublishProperties properties) {
        return new Replays(database, properties);
    }

    @Bean
    Audit audit(Database database, PublishProperties properties) {
        return new Audit(database, properties);
    }

    @Bean
    CommandLine commandLine(Database database, PublishProperties properties, Audit audit) {
        return new CommandLine(new StartupCheck(database, properties), audit);
    }
}
