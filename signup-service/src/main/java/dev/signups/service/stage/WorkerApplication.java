package dev.signups.service.stage;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.thymeleaf.autoconfigure.ThymeleafAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Stage 2's worker as a process of its own, from the same jar. Several may run. It serves its health and nothing else.
 *
 * <p>No stereotype, so that the service's scan passes it by.
 */
@EnableAutoConfiguration(exclude = {FlywayAutoConfiguration.class, ThymeleafAutoConfiguration.class})
@EnableScheduling
@EnableConfigurationProperties(ProviderProperties.class)
final class WorkerApplication {

    private WorkerApplication() {}

    static void main(String[] args) {
        application().run(args);
    }

    static SpringApplication application() {
        return new SpringApplicationBuilder(WorkerApplication.class)
                .profiles("worker")
                .build();
    }

    @Bean
    static JobWorker jobWorker(ProviderProperties properties, JdbcClient jdbc, TransactionOperations transactions) {
        return new JobWorker(new Jobs(jdbc), new Provider(properties), transactions);
    }

    @Bean
    static SecurityFilterChain healthAlone(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/**")
                        .permitAll()
                        .anyRequest()
                        .denyAll())
                .build();
    }

    /** Nobody; otherwise Boot makes a user and prints a password. */
    @Bean
    static UserDetailsService nobody() {
        return new InMemoryUserDetailsManager();
    }
}
