package dev.signups.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
class SignupApplication {

    static void main(String[] args) {
        SpringApplication.run(SignupApplication.class, args);
    }
}
