package dev.signups.service.stage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Stage 2's worker: claims ten jobs and sends them one after another inside the transaction that holds them.
 *
 * <p>It knows no attempts, no pauses and no end: a job whose send failed stays as it was, at the head of the queue, and is
 * claimed again with the next ten. A worker that dies takes back the marks of the whole batch, and what it had sent is sent
 * again.
 */
class JobWorker {

    private static final int BATCH = 10;
    private static final Logger log = LoggerFactory.getLogger(JobWorker.class);

    private final Jobs jobs;
    private final Provider provider;
    private final TransactionOperations transactions;

    JobWorker(Jobs jobs, Provider provider, TransactionOperations transactions) {
        this.jobs = jobs;
        this.provider = provider;
        this.transactions = transactions;
    }

    @Scheduled(fixedDelay = 500)
    void poll() {
        transactions.executeWithoutResult(status -> jobs.claim(BATCH).forEach(this::send));
    }

    private void send(Job job) {
        try {
            provider.sendWelcome(job.email(), job.firstName());
            jobs.markSent(job);
        } catch (EmailNotSentException e) {
            log.warn("Job {} was not sent: {}", job.id(), e.getMessage());
        }
    }
}
