package dev.signups.relay.change;

import java.time.Instant;

/**
 * One step through the write-ahead log. Transactions come whole and in commit order: {@link Begin}, its {@link Row}s,
 * {@link End}; a {@link Mark} stands between transactions. A transaction without outbox rows may be left out.
 */
public sealed interface Change {

    /**
     * The first step of a transaction.
     *
     * @param txid the transaction's 32-bit id; unique only near its neighbours
     */
    record Begin(long txid) implements Change {}

    /**
     * A row inserted into the outbox.
     *
     * @param txid the transaction it belongs to
     * @param row what was inserted
     * @param committedAt when the transaction committed, by the server's clock
     * @param readAt when the relay read it, by this machine's clock
     */
    record Row(long txid, OutboxRow row, Instant committedAt, Instant readAt) implements Change {}

    /**
     * The commit of a transaction.
     *
     * @param txid the transaction
     * @param endLsn where its commit record ends in the log: rises from commit to commit
     */
    record End(long txid, long endLsn) implements Change {}

    /**
     * A place in the log outside every transaction, from the relay's own heartbeat.
     *
     * @param lsn the place
     * @param prefix the message's prefix, by which the relay knows its own
     * @param content the message
     */
    record Mark(long lsn, String prefix, String content) implements Change {}
}
