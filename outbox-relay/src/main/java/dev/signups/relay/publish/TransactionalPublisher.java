package dev.signups.relay.publish;

import dev.signups.relay.change.Change.Row;
import dev.signups.relay.change.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes events, dead letters and the position that covers them in one Kafka transaction.
 *
 * <p>Exactly once for a {@code read_committed} reader: the transaction commits all of it or nothing, {@code
 * initTransactions} fences every earlier producer of the same {@code transactional.id}, and after each such call the
 * stored position is read again. It is either the one before the transaction in doubt, which is then sent again, or the
 * one after it, which then was committed, or somebody else's: then {@link PositionMovedException}, and nothing is sent.
 */
public final class TransactionalPublisher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TransactionalPublisher.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final PublishProperties properties;
    private final PublishListener listener;
    private final EventRecord events;
    private final PositionStore positions;
    private final Topics topics;
    private final String transactionalId;
    private final Header[] headers;
    private final @Nullable String topic;
    private @Nullable KafkaProducer<byte[], byte[]> producer;
    private long lastCommit;
    private long warnedAt;

    /**
     * @param properties how to publish
     * @param name of the outbox: its slot
     * @param listener is told what was published
     */
    public TransactionalPublisher(PublishProperties properties, String name, PublishListener listener) {
        this(
                properties,
                properties.transactionalId() == null ? "outbox-relay-" + name : properties.transactionalId(),
                name,
                listener,
                null);
    }

    private TransactionalPublisher(
            PublishProperties properties,
            String transactionalId,
            String name,
            PublishListener listener,
            @Nullable String topic,
            Header... headers) {
        this.properties = properties;
        this.transactionalId = transactionalId;
        this.listener = listener;
        this.topic = topic;
        this.headers = headers;
        this.events = new EventRecord(properties.topicPrefix(), properties.source());
        this.positions = new PositionStore(properties, name);
        this.topics = new Topics(properties);
    }

    /**
     * Fences earlier publishers of the same outbox and reads the position they left.
     *
     * @return the published position, null where none was ever written
     * @throws KafkaException if Kafka cannot be reached or refuses
     */
    public @Nullable PublishedPosition open() {
        discard();
        topics.forget();
        topics.ensurePosition();
        topics.ensureExpected();
        producer = new KafkaProducer<>(
                properties.clients(producerSettings()), new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return positions.read();
    }

    /**
     * Publishes rows and the position that covers them; returns when Kafka has committed both.
     *
     * @param rows in commit order; may be empty
     * @param before the position that is stored now, null for none
     * @param after the position that covers the rows
     * @param retry asked before each further try; false ends the attempts with an exception
     * @throws PositionMovedException if another relay has published meanwhile
     * @throws InterruptedException if interrupted while waiting for the next try
     */
    public void publish(List<Row> rows, @Nullable PublishedPosition before, PublishedPosition after, RetryGate retry)
            throws InterruptedException {
        Map<String, String> refused = new HashMap<>();
        long pause = properties.retryInterval().toMillis();
        while (true) {
            try {
                attempt(rows, after, refused);
                return;
            } catch (PoisonException poison) {
                abort();
                refused.putAll(poison.reasons);
            } catch (InterruptException e) {
                throw new InterruptedException("interrupted while publishing");
            } catch (KafkaException e) {
                listener.failed(e);
                while (true) {
                    discard();
                    Thread.sleep(pause);
                    pause = Math.min(pause * 2, properties.retryInterval().toMillis() * 10);
                    retry.check();
                    try {
                        PublishedPosition stored = open();
                        if (after.equals(stored)) {
                            // the commit had arrived, only its answer had not
                            listener.published(rows, refused.size(), Instant.now());
                            return;
                        }
                        if (before == null ? stored != null : !before.equals(stored)) {
                            throw new PositionMovedException("the published position is " + stored + ", not " + before
                                    + ": another relay has published");
                        }
                        break;
                    } catch (InterruptException interrupted) {
                        throw new InterruptedException("interrupted while reaching Kafka again");
                    } catch (KafkaException again) {
                        listener.failed(again);
                    }
                }
            }
        }
    }

    private void attempt(List<Row> rows, PublishedPosition after, Map<String, String> refused) {
        KafkaProducer<byte[], byte[]> current = producer;
        if (current == null) {
            throw new IllegalStateException("the publisher is not open");
        }
        List<Sent> ready = new ArrayList<>(rows.size());
        List<DeadLetter> dead = new ArrayList<>();
        for (Row row : rows) {
            prepare(row.row(), refused.get(row.row().id()), ready, dead);
        }
        waitForGap();
        ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();
        current.beginTransaction();
        try {
            for (Sent sent : ready) {
                var _ = current.send(sent.record, (_, error) -> {
                    if (error != null) {
                        failures.add(new Failure(sent, error));
                    }
                });
            }
            for (DeadLetter letter : dead) {
                var _ = current.send(new ProducerRecord<>(
                        properties.deadLetterTopic(),
                        letter.id().getBytes(StandardCharsets.UTF_8),
                        JSON.writeValueAsBytes(letter)));
            }
            var _ = current.send(positions.record(after));
            current.commitTransaction();
        } catch (KafkaException e) {
            // a send that failed puts the transaction in error: the cause is there, not here
            throw failures.isEmpty() ? telling(failures, e) : poisonOr(failures, e);
        }
        lastCommit = System.nanoTime();
        listener.published(rows, dead.size(), Instant.now());
        for (DeadLetter letter : dead) {
            log.atError()
                    .addKeyValue("eventId", letter.id())
                    .addKeyValue("sizeBytes", letter.sizeBytes())
                    .addKeyValue("reason", letter.reason())
                    .log("row became a dead letter; it stays in the outbox and can be replayed");
        }
    }

    private void prepare(OutboxRow row, @Nullable String refused, List<Sent> ready, List<DeadLetter> dead) {
        switch (events.map(row, topic, headers)) {
            case EventRecord.Mapped.Refused no -> dead.add(deadLetter(row, no.reason(), 0));
            case EventRecord.Mapped.Publishable yes -> {
                String reason = refused;
                if (reason == null) {
                    reason = whyNot(yes);
                }
                if (reason == null) {
                    ready.add(new Sent(row, yes.record()));
                } else {
                    dead.add(deadLetter(row, reason, yes.size()));
                }
            }
        }
    }

    private @Nullable String whyNot(EventRecord.Mapped.Publishable event) {
        Topics.Limits limits;
        try {
            limits = topics.ensureEvents(event.record().topic());
        } catch (InvalidTopicException | PolicyViolationException e) {
            // a name that collides with another's, or that a policy forbids: waiting does not change it
            return "Kafka refuses the topic: " + e.getClass().getSimpleName().replace("Exception", "");
        }
        warnOfRetention(event.record(), limits);
        long limit =
                Math.min(limits.maxMessageBytes(), properties.maxRecordSize().toBytes());
        return event.size() > limit ? "larger than " + limit + " bytes" : null;
    }

    /** The record's time is the row's, and Kafka deletes by it: a row published late may be gone before it is read. */
    private void warnOfRetention(ProducerRecord<byte[], byte[]> record, Topics.Limits limits) {
        long now = System.currentTimeMillis();
        if (now - record.timestamp() > limits.retentionMillis() && now - warnedAt > 60_000) {
            warnedAt = now;
            log.atWarn()
                    .addKeyValue("topic", record.topic())
                    .log("publishing rows older than the topic's retention.ms: Kafka will soon delete them; raise it"
                            + " until all groups have read them");
        }
    }

    private DeadLetter deadLetter(OutboxRow row, String reason, long size) {
        topics.ensureDeadLetters();
        String type = String.valueOf(row.aggregateType());
        return new DeadLetter(row.id(), type.substring(0, Math.min(100, type.length())), reason, size, Instant.now());
    }

    /** Rows that the broker refuses for what they are, told apart from those that only shared a batch with one. */
    private RuntimeException poisonOr(ConcurrentLinkedQueue<Failure> failures, KafkaException cause) {
        List<Failure> suspects = failures.stream()
                .filter(failure -> refusesRecord(failure.error))
                .toList();
        if (suspects.isEmpty()) {
            return telling(failures, cause);
        }
        abort();
        Map<String, String> reasons = new HashMap<>();
        for (Failure suspect : suspects) {
            String reason = probe(suspect.sent.record);
            if (reason != null) {
                reasons.put(suspect.sent.row.id(), reason);
            }
        }
        return reasons.isEmpty() ? cause : new PoisonException(reasons);
    }

    /** The failure that names its cause: most only say that the transaction is in error, or was given up. */
    private static KafkaException telling(ConcurrentLinkedQueue<Failure> failures, KafkaException cause) {
        Stream<Throwable> causes = Stream.iterate((Throwable) cause, Objects::nonNull, Throwable::getCause)
                .limit(10);
        return Stream.concat(failures.stream().map(Failure::error), causes)
                .filter(error -> error instanceof KafkaException && error.getClass() != KafkaException.class)
                .filter(error -> !(error instanceof TransactionAbortedException))
                .map(KafkaException.class::cast)
                .findFirst()
                .orElse(cause);
    }

    /** Sends one record alone, in a transaction that is always aborted. */
    private @Nullable String probe(ProducerRecord<byte[], byte[]> record) {
        KafkaProducer<byte[], byte[]> current = producer;
        if (current == null) {
            throw new IllegalStateException("the publisher is not open");
        }
        current.beginTransaction();
        try {
            var sent = current.send(record);
            current.flush();
            sent.get();
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception error && refusesRecord(error)) {
                return error.getClass().getSimpleName().replace("Exception", "");
            }
            throw new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            abort();
        }
    }

    private static boolean refusesRecord(Exception error) {
        return error instanceof RecordTooLargeException
                || error instanceof RecordBatchTooLargeException
                || error instanceof InvalidTimestampException
                || error instanceof org.apache.kafka.common.InvalidRecordException
                || error instanceof org.apache.kafka.common.errors.CorruptRecordException;
    }

    /** Back to back, a transaction would meet the broker still writing the markers of the one before. */
    private void waitForGap() {
        long left = lastCommit + properties.transactionGap().toNanos() - System.nanoTime();
        if (lastCommit != 0 && left > 0) {
            LockSupport.parkNanos(left);
        }
    }

    private void abort() {
        KafkaProducer<byte[], byte[]> current = producer;
        if (current != null) {
            try {
                current.abortTransaction();
            } catch (IllegalStateException e) {
                log.atDebug().setCause(e).log("no transaction to abort");
            }
        }
    }

    private void discard() {
        KafkaProducer<byte[], byte[]> current = producer;
        producer = null;
        if (current != null) {
            try {
                current.close(Duration.ZERO);
            } catch (KafkaException e) {
                log.atDebug().setCause(e).log("closing a failed producer failed");
            }
        }
    }

    private Map<String, Object> producerSettings() {
        Map<String, Object> own = new HashMap<>();
        own.put("client.id", transactionalId);
        own.put("transactional.id", transactionalId);
        own.put("acks", "all");
        own.put("enable.idempotence", true);
        own.put("max.in.flight.requests.per.connection", 5);
        // all of a small transaction goes in one request, and the broker adds its partitions in one step: the commit
        // flushes at once, so nothing ever waits for this long
        own.put("linger.ms", 20);
        own.put("batch.size", 131072);
        own.put("buffer.memory", 33554432L);
        own.put("compression.type", "lz4");
        // a record of the permitted size must always fit a request
        own.put("max.request.size", Math.toIntExact(properties.maxRecordSize().toBytes() + 65536));
        own.put("request.timeout.ms", 10000);
        own.put("delivery.timeout.ms", 20000);
        own.put("max.block.ms", 20000);
        own.put("transaction.timeout.ms", 60000);
        return own;
    }

    @Override
    public void close() {
        KafkaProducer<byte[], byte[]> current = producer;
        producer = null;
        if (current != null) {
            current.close(Duration.ofSeconds(2));
        }
        topics.close();
    }

    /** Asked before another try. */
    @FunctionalInterface
    public interface RetryGate {

        /** Throws if there must be no further try, because the relay stops or no longer leads. */
        void check() throws InterruptedException;
    }

    private record Sent(OutboxRow row, ProducerRecord<byte[], byte[]> record) {}

    private record Failure(Sent sent, Exception error) {}

    private static final class PoisonException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> reasons;

        PoisonException(Map<String, String> reasons) {
            super("the broker refuses " + reasons.size() + " rows");
            this.reasons = reasons;
        }
    }
}
