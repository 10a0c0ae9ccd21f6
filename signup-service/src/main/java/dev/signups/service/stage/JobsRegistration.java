package dev.signups.service.stage;

import dev.signups.service.outbox.TraceParent;
import dev.signups.service.signup.NewUser;
import dev.signups.service.signup.Registration;
import dev.signups.service.signup.Users;
import java.time.Instant;
import java.util.Objects;
import org.springframework.transaction.support.TransactionOperations;

/** Stage 2: user and job in one transaction, so that neither is there without the other. */
class JobsRegistration implements Registration {

    private final Users users;
    private final Jobs jobs;
    private final TransactionOperations transactions;

    JobsRegistration(Users users, Jobs jobs, TransactionOperations transactions) {
        this.users = users;
        this.jobs = jobs;
        this.transactions = transactions;
    }

    @Override
    public Instant register(NewUser user, TraceParent traceParent) {
        return Objects.requireNonNull(transactions.execute(status -> {
            Instant createdAt = users.add(user);
            jobs.add(user);
            return createdAt;
        }));
    }
}
