package dev.signups.service.stage;

import dev.signups.service.outbox.TraceParent;
import dev.signups.service.signup.NewUser;
import dev.signups.service.signup.Registration;
import dev.signups.service.signup.Users;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stage 1: the user is committed, then the request waits for the provider.
 *
 * <p>When the call fails the answer is a 500 that lies: the user is there, without an e-mail, and who tries again is told
 * that the address is taken. Each request holds its thread for as long as the provider takes.
 */
class InlineRegistration implements Registration {

    private final Users users;
    private final Provider provider;
    private final @Nullable Bulkhead bulkhead;
    private final @Nullable CircuitBreaker breaker;

    InlineRegistration(Users users, Provider provider, ProviderProperties properties) {
        this.users = users;
        this.provider = provider;
        this.bulkhead = properties.bulkhead() == 0
                ? null
                : Bulkhead.of(
                        "provider",
                        BulkheadConfig.custom()
                                .maxConcurrentCalls(properties.bulkhead())
                                .maxWaitDuration(Duration.ZERO)
                                .build());
        // the library's defaults: opens for a minute when half of the last hundred calls failed
        this.breaker = properties.breaker() ? CircuitBreaker.ofDefaults("provider") : null;
    }

    @Override
    public Instant register(NewUser user, TraceParent traceParent) {
        Instant createdAt = users.add(user);
        Runnable send = () -> provider.sendWelcome(user.email(), user.firstName());
        if (bulkhead != null) {
            send = Bulkhead.decorateRunnable(bulkhead, send);
        }
        if (breaker != null) {
            send = CircuitBreaker.decorateRunnable(breaker, send);
        }
        send.run();
        return createdAt;
    }
}
