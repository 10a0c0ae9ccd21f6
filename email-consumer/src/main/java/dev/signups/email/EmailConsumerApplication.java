package dev.signups.email;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;

/** Takes user events from Kafka and has an e-mail sent for each, once, however slow or broken the provider is. */
// the operator is the one user, and known to the security configuration
@SpringBootApplication(exclude = UserDetailsServiceAutoConfiguration.class)
@ConfigurationPropertiesScan
class EmailConsumerApplication {

    static void main(String[] args) {
        SpringApplication.run(EmailConsumerApplication.class, args);
    }
}
