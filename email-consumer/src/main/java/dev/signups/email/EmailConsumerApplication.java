package dev.signups.email;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
class EmailConsumerApplication {

    static void main(String[] args) {
        SpringApplication.run(EmailConsumerApplication.class, args);
    }
}
