package dev.signups.email.provider;

import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import tools.jackson.databind.json.JsonMapper;

/** Chooses the provider by {@code provider.kind}. */
@Configuration(proxyBeanMethods = false)
class ProviderConfiguration {

    @Bean
    EmailProvider emailProvider(ProviderProperties properties, JsonMapper json, ObjectProvider<JavaMailSender> mail) {
        return switch (properties.kind()) {
            case HTTP -> new HttpEmailProvider(properties, json, InstantSource.system());
            case SMTP -> new SmtpEmailProvider(mail.getObject(), properties.from());
        };
    }
}
