package dev.signups.service.stage;

import dev.signups.service.signup.Users;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** Stage 2's front door, with {@code signup.welcome-email=jobs}; its other half is {@link WorkerApplication}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "signup.welcome-email", havingValue = "jobs")
class JobsConfiguration {

    @Bean
    JobsRegistration jobsRegistration(Users users, JdbcClient jdbc, TransactionOperations transactions) {
        Jobs jobs = new Jobs(jdbc);
        jobs.createTable();
        return new JobsRegistration(users, jobs, transactions);
    }
}
