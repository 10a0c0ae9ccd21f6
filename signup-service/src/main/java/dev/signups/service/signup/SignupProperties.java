package dev.signups.service.signup;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What a signup may cost.
 *
 * @param maxBody the largest request body
 * @param password how passwords are hashed
 * @param welcomeEmail what makes the welcome e-mail follow
 */
@Validated
@ConfigurationProperties("signup")
record SignupProperties(
        @DefaultValue("16KB") DataSize maxBody,
        @DefaultValue @Valid Password password,
        @DefaultValue("outbox") WelcomeEmail welcomeEmail) {

    SignupProperties {
        if (maxBody.toBytes() < 1024 || maxBody.toMegabytes() > 16) {
            throw new IllegalArgumentException("signup.max-body must be between 1KB and 16MB");
        }
    }

    /**
     * Hashing costs tens of milliseconds of a core each: these bound how many cores and how long a queue.
     *
     * @param strength bcrypt's cost: each step doubles the work
     * @param threads passwords hashed at once; 0 for half the cores
     * @param queue passwords that may wait; beyond them a signup is refused at once
     * @param maxWait how long a signup waits for its hash before it is refused
     */
    record Password(
            @DefaultValue("10") @Min(10) @Max(16) int strength,
            @DefaultValue("0") @Min(0) int threads,
            @DefaultValue("32") @Min(1) int queue,
            @DefaultValue("3s") @DurationMin(millis = 100) Duration maxWait) {}

    /** The article's stages. */
    enum WelcomeEmail {
        /** Stage 1: the request calls the provider and waits. */
        INLINE,
        /** Stage 2: a row in the table {@code jobs}, which a worker polls. */
        JOBS,
        /** Stage 3: an event in the outbox. */
        OUTBOX
    }
}
