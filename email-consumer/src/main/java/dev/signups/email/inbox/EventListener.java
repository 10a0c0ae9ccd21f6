package dev.signups.email.inbox;

import dev.signups.email.delivery.Dispatcher;
import dev.signups.email.delivery.LedgerTrouble;
import dev.signups.email.delivery.NewDelivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Takes a polled batch into the ledger, then acknowledges it. At least once: a crash between the two brings the batch
 * again, and the ledger's key drops what it has. A record that cannot be read is kept aside and never holds up another.
 */
@Component
class EventListener implements BatchAcknowledgingMessageListener<byte[], byte[]> {

    private static final Duration WAIT_FOR_LEDGER = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(EventListener.class);

    private final EventReader reader;
    private final BadRecords badRecords;
    private final Dispatcher dispatcher;
    private final InboxMetrics metrics;

    EventListener(EventReader reader, BadRecords badRecords, Dispatcher dispatcher, InboxMetrics metrics) {
        this.reader = reader;
        this.badRecords = badRecords;
        this.dispatcher = dispatcher;
        this.metrics = metrics;
    }

    /** A record that asks for an e-mail. */
    private record Wanted(ConsumerRecord<byte[], byte[]> entry, Map<String, String> headers, NewDelivery delivery) {
        @Override
        public String toString() {
            return "Wanted[" + delivery + "]";
        }
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> batch, @Nullable Acknowledgment acknowledgment) {
        if (acknowledgment == null) {
            throw new IllegalStateException("the container must acknowledge by hand");
        }
        try {
            take(batch);
        } catch (DataAccessException | TransactionException e) {
            log.warn("{} records wait in Kafka: {}", batch.size(), LedgerTrouble.describe(e));
            acknowledgment.nack(0, WAIT_FOR_LEDGER);
            return;
        }
        acknowledgment.acknowledge();
    }

    private void take(List<ConsumerRecord<byte[], byte[]>> batch) {
        List<Wanted> wanted = new ArrayList<>(batch.size());
        int bad = 0;
        int skipped = 0;
        for (ConsumerRecord<byte[], byte[]> entry : batch) {
            Map<String, String> headers = EventReader.texts(entry.headers());
            Instant written = Instant.ofEpochMilli(Math.max(0, entry.timestamp()));
            switch (reader.read(entry.value(), headers, written)) {
                case Reading.Asked asked -> wanted.add(new Wanted(entry, headers, asked.delivery()));
                case Reading.Skipped unknown -> skipped++;
                case Reading.Bad unreadable -> {
                    keep(entry, headers, unreadable.reason());
                    bad++;
                }
            }
        }
        int inserted = 0;
        try {
            inserted = wanted.isEmpty()
                    ? 0
                    : dispatcher.accept(wanted.stream().map(Wanted::delivery).toList());
        } catch (DataIntegrityViolationException e) {
            // the database refuses a value: find the record that holds it
            for (Wanted one : wanted) {
                try {
                    inserted += dispatcher.accept(List.of(one.delivery()));
                } catch (DataIntegrityViolationException refused) {
                    keep(one.entry(), one.headers(), "refused by the database");
                    bad++;
                }
            }
        }
        metrics.batch(batch.size(), inserted, bad, skipped);
    }

    private void keep(ConsumerRecord<byte[], byte[]> entry, Map<String, String> headers, String reason) {
        badRecords.keep(entry, headers, reason);
        log.atWarn()
                .addKeyValue("topic", entry.topic())
                .addKeyValue("partition", entry.partition())
                .addKeyValue("offset", entry.offset())
                .addKeyValue("reason", reason)
                .log("bad record kept aside");
    }
}
