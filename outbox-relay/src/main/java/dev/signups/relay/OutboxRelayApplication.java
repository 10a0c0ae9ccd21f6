package dev.signups.relay;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
class OutboxRelayApplication {

    static void main(String[] args) {
        SpringApplication.run(OutboxRelayApplication.class, args);
    }
}
