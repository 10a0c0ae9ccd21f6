package dev.signups.service.web;

import java.net.URI;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where the operator's page asks for the state of welcome e-mails.
 *
 * @param url address of email-consumer, which has the same operator's login
 * @param timeLimit how long the page waits for the states of all its users; then it shows "unknown"
 */
@Validated
@ConfigurationProperties("signup.email-consumer")
record EmailConsumerProperties(
        @DefaultValue("http://127.0.0.1:8082") URI url,
        @DefaultValue("1s") @DurationMin(millis = 10) Duration timeLimit) {}
