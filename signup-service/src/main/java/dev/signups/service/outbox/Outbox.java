package dev.signups.service.outbox;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Writes an event together with the change that it tells of, in one statement.
 *
 * <p>One statement is one transaction, so there is no moment between the two: both are there or neither is, and a
 * connection is held for a single round trip. It joins a transaction that the caller may have begun.
 *
 * <p>Answers within the time limit. When it throws because of that limit, or because the connection broke, the outcome
 * is not known: the transaction may have committed.
 */
@Component
public class Outbox {

    /** No event for a change that touched no row; an error, by the event's key, for one that touched several. */
    private static final String APPEND = """
            insert into outbox (id, aggregatetype, aggregateid, type, payload, traceparent, created_at)
            select ?, ?, ?, ?,
                   cast(? || ',"occurredAt":"'
                     || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"}' as json),
                   ?, now()
              from change
            returning created_at""";

    private final JdbcTemplate jdbc;
    private final Semaphore permits;
    private final Duration timeLimit;
    private final Timer timer;

    Outbox(JdbcTemplate jdbc, OutboxProperties properties, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.permits = new Semaphore(properties.concurrency(), true);
        this.timeLimit = properties.timeLimit();
        this.timer = Timer.builder("outbox.append")
                .description("Transactions that write a change and its event")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(100_000))
                .maximumExpectedValue(Duration.ofSeconds(5))
                .register(meters);
    }

    /**
     * Runs the change and appends the event.
     *
     * @param change an {@code insert}, {@code update} or {@code delete} with a {@code returning} clause, for one row
     * @param parameters its parameters, in order
     * @return the transaction's time
     */
    public Instant append(OutboxEvent event, String change, @Nullable Object... parameters) {
        long deadline = System.nanoTime() + timeLimit.toNanos();
        acquire();
        try {
            Instant time = timer.record(() ->
                    jdbc.execute((Connection connection) -> run(connection, deadline, event, change, parameters)));
            if (time == null) {
                throw new IllegalStateException("the change of " + event + " touched no row");
            }
            return time;
        } finally {
            permits.release();
        }
    }

    private void acquire() {
        try {
            if (!permits.tryAcquire(timeLimit.toNanos() / 2, TimeUnit.NANOSECONDS)) {
                throw new TransientDataAccessResourceException("too many transactions wait for the database");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransientDataAccessResourceException("interrupted while waiting for the database", e);
        }
    }

    private static @Nullable Instant run(
            Connection connection, long deadline, OutboxEvent event, String change, @Nullable Object[] parameters)
            throws SQLException {
        // the pool puts the driver's own limit back when it gets the connection back
        connection.setNetworkTimeout(Runnable::run, millisUntil(deadline));
        try (PreparedStatement statement = connection.prepareStatement("with change as (" + change + ") " + APPEND)) {
            int index = 0;
            for (Object parameter : parameters) {
                statement.setObject(++index, parameter);
            }
            String openPayload = event.payload().substring(0, event.payload().length() - 1);
            TraceParent trace = event.traceParent();
            for (Object parameter : Arrays.asList(
                    event.id(),
                    event.aggregateType(),
                    event.aggregateId(),
                    event.type(),
                    openPayload,
                    trace == null ? null : trace.value())) {
                statement.setObject(++index, parameter);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getObject(1, OffsetDateTime.class).toInstant() : null;
            }
        }
    }

    private static int millisUntil(long deadline) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }
}
