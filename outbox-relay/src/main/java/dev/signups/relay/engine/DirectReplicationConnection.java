package dev.signups.relay.engine;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.OutboxRow;
import io.debezium.connector.postgresql.connection.LogicalDecodingMessage;
import io.debezium.connector.postgresql.connection.Lsn;
import io.debezium.connector.postgresql.connection.ReplicationConnection;
import io.debezium.connector.postgresql.connection.ReplicationMessage;
import io.debezium.connector.postgresql.connection.ReplicationStream;
import io.debezium.connector.postgresql.connection.WalPositionLocator;
import io.debezium.connector.postgresql.spi.SlotCreationResult;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Debezium's replication connection, whose streams feed a {@link ChangeFeed}. */
@SuppressWarnings("try") // the interface declares close() throws Exception
final class DirectReplicationConnection implements ReplicationConnection {

    private final ReplicationConnection delegate;
    private final ChangeFeed feed;
    private final WakingSocketFactory.@Nullable Waiter waiter;

    DirectReplicationConnection(
            ReplicationConnection delegate, ChangeFeed feed, WakingSocketFactory.@Nullable Waiter waiter) {
        this.delegate = delegate;
        this.feed = feed;
        this.waiter = waiter;
    }

    @Override
    public ReplicationStream startStreaming(WalPositionLocator walPosition) throws SQLException, InterruptedException {
        detach();
        return new Stream(delegate.startStreaming(walPosition));
    }

    @Override
    public ReplicationStream startStreaming(Lsn offset, WalPositionLocator walPosition)
            throws SQLException, InterruptedException {
        detach();
        return new Stream(delegate.startStreaming(offset, walPosition));
    }

    @Override
    public Optional<SlotCreationResult> createReplicationSlot() throws SQLException {
        return delegate.createReplicationSlot();
    }

    @Override
    public void initConnection() throws SQLException, InterruptedException {
        delegate.initConnection();
    }

    @Override
    public boolean isConnected() throws SQLException {
        return delegate.isConnected();
    }

    @Override
    public void reconnect() throws SQLException {
        delegate.reconnect();
    }

    @Override
    public void close() throws Exception {
        delegate.close();
    }

    private void detach() {
        if (waiter != null) {
            waiter.detach();
        }
    }

    @SuppressWarnings("try")
    private final class Stream implements ReplicationStream {

        private final ReplicationStream stream;
        private long txid;

        Stream(ReplicationStream stream) {
            this.stream = stream;
            if (waiter != null) {
                waiter.attach();
            }
        }

        @Override
        public void read(ReplicationMessageProcessor processor) throws SQLException, InterruptedException {
            stream.read(this::forward);
        }

        @Override
        public boolean readPending(ReplicationMessageProcessor processor) throws SQLException, InterruptedException {
            if (stream.readPending(this::forward)) {
                return true;
            }
            if (waiter == null) {
                return false;
            }
            // outside the driver's lock: confirmations and keep-alives are written meanwhile
            return waiter.await() && stream.readPending(this::forward);
        }

        private void forward(ReplicationMessage message) throws SQLException, InterruptedException {
            if (message.isSkippedMessage() || message instanceof ReplicationMessage.NoopMessage) {
                // of a table that is in the publication and is not the outbox
                return;
            }
            switch (message.getOperation()) {
                case BEGIN -> {
                    txid = required(message.getTransactionId());
                    feed.put(new Change.Begin(txid));
                }
                case COMMIT ->
                    feed.put(new Change.End(txid, stream.lastReceivedLsn().asLong()));
                case INSERT -> feed.put(new Change.Row(txid, row(message), message.getCommitTime(), Instant.now()));
                case MESSAGE -> {
                    if (message.isLastEventForLsn() && message instanceof LogicalDecodingMessage logical) {
                        feed.put(new Change.Mark(
                                stream.lastReceivedLsn().asLong(),
                                logical.getPrefix(),
                                new String(logical.getContent(), StandardCharsets.UTF_8)));
                    }
                }
                default -> {
                    // updates, deletes and truncations of the outbox are upkeep, not events
                }
            }
        }

        @Override
        public void flushLsn(Lsn lsn) throws SQLException {
            stream.flushLsn(lsn);
        }

        @Override
        public Lsn lastReceivedLsn() {
            return stream.lastReceivedLsn();
        }

        @Override
        public Lsn startLsn() {
            return stream.startLsn();
        }

        @Override
        public void startKeepAlive(ExecutorService service) {
            stream.startKeepAlive(service);
        }

        @Override
        public void stopKeepAlive() {
            stream.stopKeepAlive();
        }

        @Override
        public void close() throws Exception {
            stream.close();
        }
    }

    private static long required(OptionalLong txid) throws SQLException {
        return txid.orElseThrow(() -> new SQLException("a transaction comes without its id"));
    }

    private static OutboxRow row(ReplicationMessage message) {
        String id = "";
        String aggregateType = null;
        String aggregateId = null;
        String type = null;
        String payload = null;
        String traceparent = null;
        Instant createdAt = null;
        for (ReplicationMessage.Column column : message.getNewTupleList()) {
            Object value = column.getValue(null, false);
            if (value == null) {
                continue;
            }
            switch (column.getName()) {
                case "id" -> id = value.toString();
                case "aggregatetype" -> aggregateType = value.toString();
                case "aggregateid" -> aggregateId = value.toString();
                case "type" -> type = value.toString();
                case "payload" -> payload = value.toString();
                case "traceparent" -> traceparent = value.toString();
                case "created_at" -> createdAt = ((OffsetDateTime) value).toInstant();
                default -> {}
            }
        }
        return new OutboxRow(id, aggregateType, aggregateId, type, payload, traceparent, createdAt);
    }
}
