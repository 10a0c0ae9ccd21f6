package dev.signups.service.stage;

import dev.signups.service.signup.Users;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Stage 1, with {@code signup.welcome-email=inline}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "signup.welcome-email", havingValue = "inline")
class InlineConfiguration {

    @Bean
    InlineRegistration inlineRegistration(Users users, ProviderProperties properties) {
        return new InlineRegistration(users, new Provider(properties), properties);
    }
}
