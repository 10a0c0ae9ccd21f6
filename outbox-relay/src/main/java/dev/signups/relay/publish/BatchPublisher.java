package dev.signups.relay.publish;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.ChangeHandler;
import java.util.List;
import java.util.function.Consumer;

/**
 * Publishes what an engine reads: drops what the position covers, sends the rest with the position after it, and only
 * then lets the server forget the log.
 */
public final class BatchPublisher implements ChangeHandler {

    private final TransactionalPublisher publisher;
    private final TransactionalPublisher.RetryGate retry;
    private final PositionTracker tracker;
    private final Consumer<Change.Mark> marks;

    /**
     * @param publisher an open publisher
     * @param position the position it read
     * @param start the LSN that the server sends from
     * @param retry asked before another try
     * @param marks is told each mark when all before it is published
     */
    public BatchPublisher(
            TransactionalPublisher publisher,
            PublishedPosition position,
            long start,
            TransactionalPublisher.RetryGate retry,
            Consumer<Change.Mark> marks) {
        this.publisher = publisher;
        this.tracker = new PositionTracker(position, start);
        this.retry = retry;
        this.marks = marks;
    }

    @Override
    public long handle(List<Change> changes) throws InterruptedException {
        PositionTracker.Batch batch = tracker.next(changes);
        if (!batch.position().equals(tracker.published())) {
            publisher.publish(batch.rows(), tracker.published(), batch.position(), retry);
            tracker.advance(batch.position());
        }
        for (Change change : changes) {
            if (change instanceof Change.Mark mark) {
                marks.accept(mark);
            }
        }
        return batch.confirm();
    }

    /** The position that is stored. Called on the engine's thread or after its end. */
    public PublishedPosition position() {
        return tracker.published();
    }
}
