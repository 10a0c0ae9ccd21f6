package dev.signups.relay.publish;

import dev.signups.relay.change.Change.Row;
import java.time.Instant;
import java.util.List;

/** Is told how publishing goes. */
public interface PublishListener {

    /**
     * Rows are committed in Kafka.
     *
     * @param rows all of the batch, dead letters included
     * @param deadLettered how many of them became dead letters
     * @param at when Kafka had acknowledged the transaction
     */
    void published(List<Row> rows, int deadLettered, Instant at);

    /**
     * A try failed and will be repeated.
     *
     * @param cause what Kafka said
     */
    void failed(Exception cause);
}
