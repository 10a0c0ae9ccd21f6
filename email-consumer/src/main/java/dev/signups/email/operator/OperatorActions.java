package dev.signups.email.operator;

import dev.signups.email.delivery.Deliveries;
import dev.signups.email.delivery.DeliveryId;
import dev.signups.email.delivery.Sending;
import dev.signups.email.delivery.Suppressions;
import dev.signups.email.inbox.BadRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Everything an operator can change, each change with a line in the log that says who. */
@Service
class OperatorActions {

    private static final Logger log = LoggerFactory.getLogger(OperatorActions.class);

    private final Deliveries deliveries;
    private final Sending sending;
    private final Suppressions suppressions;
    private final BadRecords badRecords;

    OperatorActions(Deliveries deliveries, Sending sending, Suppressions suppressions, BadRecords badRecords) {
        this.deliveries = deliveries;
        this.sending = sending;
        this.suppressions = suppressions;
        this.badRecords = badRecords;
    }

    Deliveries.Requeued retry(DeliveryId id, boolean force, String operator) {
        Deliveries.Requeued result = deliveries.requeue(id, force);
        log.atInfo()
                .addKeyValue("operator", operator)
                .addKeyValue("userId", printable(id.userId()))
                .addKeyValue("emailType", printable(id.emailType()))
                .addKeyValue("force", force)
                .addKeyValue("result", result)
                .log("retry of one delivery");
        return result;
    }

    int retry(Deliveries.Selection selection, String operator) {
        int requeued = deliveries.requeue(selection);
        log.atInfo()
                .addKeyValue("operator", operator)
                .addKeyValue("requeued", requeued)
                .log("retry of failed deliveries");
        return requeued;
    }

    void pause(String operator) {
        sending.pause(operator);
        log.atInfo().addKeyValue("operator", operator).log("sending paused");
    }

    void resume(String operator) {
        sending.resume(operator);
        log.atInfo().addKeyValue("operator", operator).log("sending resumed");
    }

    boolean suppress(String address, @Nullable String reason, String operator) {
        boolean added = suppressions.add(address, reason, operator);
        log.atInfo()
                .addKeyValue("operator", operator)
                .addKeyValue("added", added)
                .log("address suppressed");
        return added;
    }

    boolean unsuppress(String address, String operator) {
        boolean removed = suppressions.remove(address);
        log.atInfo()
                .addKeyValue("operator", operator)
                .addKeyValue("removed", removed)
                .log("suppression of an address taken back");
        return removed;
    }

    BadRecords.Reread retryBadRecord(String topic, int partition, long offset, String operator) {
        BadRecords.Reread result = badRecords.retry(topic, partition, offset);
        log.atInfo()
                .addKeyValue("operator", operator)
                .addKeyValue("topic", printable(topic))
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .addKeyValue("result", result)
                .log("retry of a bad record");
        return result;
    }

    /** What came by URL must not forge a line of the log. */
    private static String printable(String value) {
        return value.replaceAll("[^\\p{Alnum}._:-]", "?");
    }
}
