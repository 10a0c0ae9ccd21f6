package dev.signups.fakeemail;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
class FakeEmailApplication {

    static void main(String[] args) {
        SpringApplication.run(FakeEmailApplication.class, args);
    }
}
