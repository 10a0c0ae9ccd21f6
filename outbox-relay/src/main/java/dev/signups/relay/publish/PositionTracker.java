package dev.signups.relay.publish;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.Change.Begin;
import dev.signups.relay.change.Change.End;
import dev.signups.relay.change.Change.Mark;
import dev.signups.relay.change.Change.Row;
import dev.signups.relay.change.Lsn;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides of each change whether it is already published, and where the position stands after it.
 *
 * <p>The server sends again everything after the slot's confirmed LSN, transactions whole and in commit order. What the
 * published position covers is dropped: whole transactions up to the one that ends at {@code lastEnd}, then the first
 * {@code openCount} rows of {@code openTx}. The end LSN of a commit record is the coordinate, because it is the only one
 * that rises with commit order and is the same at every delivery: row LSNs of interleaved transactions overlap, and all
 * rows of a multi-insert share one. Whatever does not fit is a {@link GapException}, never a guess.
 */
final class PositionTracker {

    private PublishedPosition published;
    private boolean skipping;
    private boolean resuming;
    private long tx;
    private long count;

    /**
     * @param published the stored position
     * @param start the LSN that the server sends from: the slot's confirmed LSN
     */
    PositionTracker(PublishedPosition published, long start) {
        this.published = published;
        this.skipping = start < published.lastEnd();
        this.resuming = published.openTx() != 0;
    }

    PublishedPosition published() {
        return published;
    }

    /** Whether redelivered transactions are still being dropped. */
    boolean isSkipping() {
        return skipping;
    }

    /** What remains to be published of a batch, and the position after it. Changes nothing but the place in the log. */
    Batch next(List<Change> changes) {
        List<Row> rows = new ArrayList<>(changes.size());
        long lastEnd = published.lastEnd();
        long confirm = 0;
        for (Change change : changes) {
            switch (change) {
                case Begin begin -> begin(begin.txid());
                case Row row -> {
                    expect(row.txid());
                    count++;
                    if (!skipping && !(resuming && count <= published.openCount())) {
                        rows.add(row);
                    }
                }
                case End end -> {
                    expect(end.txid());
                    if (!skipping) {
                        if (resuming && count < published.openCount()) {
                            throw new GapException("transaction " + end.txid() + " ends after " + count + " rows, "
                                    + published.openCount() + " of it are published");
                        }
                        if (end.endLsn() <= lastEnd) {
                            throw new GapException("commit " + Lsn.format(end.endLsn())
                                    + " comes after the published one at " + Lsn.format(lastEnd));
                        }
                        lastEnd = end.endLsn();
                        resuming = false;
                    } else if (end.endLsn() > published.lastEnd()) {
                        throw new GapException("the log has no commit at the published position "
                                + Lsn.format(published.lastEnd()) + ", the next one is at "
                                + Lsn.format(end.endLsn()));
                    } else if (end.endLsn() == published.lastEnd()) {
                        skipping = false;
                    }
                    confirm = end.endLsn();
                    tx = 0;
                    count = 0;
                }
                case Mark mark -> {
                    if (tx != 0) {
                        // an engine may hand a message out of order; inside a transaction it confirms nothing
                        continue;
                    }
                    if (skipping && mark.lsn() > published.lastEnd()) {
                        throw new GapException("the log has no commit at the published position "
                                + Lsn.format(published.lastEnd()) + ", it is past it at " + Lsn.format(mark.lsn()));
                    }
                    confirm = mark.lsn();
                }
            }
        }
        return new Batch(rows, after(lastEnd, confirm), confirm);
    }

    /** To be called when the batch's position is committed. */
    void advance(PublishedPosition position) {
        published = position;
    }

    private PublishedPosition after(long lastEnd, long confirm) {
        long openTx = 0;
        long openCount = 0;
        if (skipping || resuming) {
            openTx = published.openTx();
            openCount = !skipping && tx != 0 ? Math.max(count, published.openCount()) : published.openCount();
        } else if (tx != 0 && count > 0) {
            openTx = tx;
            openCount = count;
        }
        return new PublishedPosition(
                        published.systemIdentifier(),
                        lastEnd,
                        openTx,
                        openCount,
                        published.confirmed(),
                        published.publication())
                .withConfirmed(confirm);
    }

    private void begin(long txid) {
        if (tx != 0) {
            throw new GapException("transaction " + txid + " begins inside transaction " + tx);
        }
        if (!skipping && resuming && txid != published.openTx()) {
            throw new GapException("transaction " + txid + " comes where " + published.openCount()
                    + " rows of transaction " + published.openTx() + " are published");
        }
        tx = txid;
        count = 0;
    }

    private void expect(long txid) {
        if (tx != txid) {
            throw new GapException("a change of transaction " + txid + " comes inside transaction " + tx);
        }
    }

    /**
     * @param rows what is not yet published, in commit order
     * @param position the position when they are
     * @param confirm up to where the server may then forget the log, 0 for no news
     */
    record Batch(List<Row> rows, PublishedPosition position, long confirm) {}
}
