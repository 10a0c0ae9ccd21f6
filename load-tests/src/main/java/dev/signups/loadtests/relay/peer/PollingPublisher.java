package dev.signups.loadtests.relay.peer;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The usual outbox without a log reader: every {@code interval} milliseconds, and at once after a full batch, it takes
 * rows with {@code FOR UPDATE SKIP LOCKED} by a partial index of the unpublished, sends them together, awaits them, and
 * marks them published in the same transaction. At least once.
 */
public final class PollingPublisher {

    private static final int BATCH = 1000;

    private PollingPublisher() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws SQLException, InterruptedException, ExecutionException {
        Settings settings = new Settings(arguments);
        long interval = Long.parseLong(settings.get("interval")) * 1_000_000;
        try (KafkaProducer<byte[], byte[]> producer = settings.tunedProducer();
                Connection connection = DriverManager.getConnection(settings.jdbcUrl(), "signup", "");
                PreparedStatement select = connection.prepareStatement("""
                        select position, id, aggregatetype, aggregateid, payload from polled_outbox
                        where published_at is null order by position limit %d for update skip locked""".formatted(BATCH));
                PreparedStatement mark = connection.prepareStatement(
                        "update polled_outbox set published_at = now() where position = any(?)")) {
            connection.setAutoCommit(false);
            while (true) {
                if (publish(settings.get("topics"), producer, connection, select, mark) < BATCH) {
                    LockSupport.parkNanos(interval);
                }
            }
        }
    }

    private static int publish(
            String topics,
            KafkaProducer<byte[], byte[]> producer,
            Connection connection,
            PreparedStatement select,
            PreparedStatement mark)
            throws SQLException, InterruptedException, ExecutionException {
        List<Long> positions = new ArrayList<>();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                positions.add(rows.getLong(1));
                sent.add(producer.send(new ProducerRecord<>(
                        topics + rows.getString(3),
                        null,
                        bytes(rows.getString(4)),
                        bytes(rows.getString(5)),
                        new RecordHeaders().add("id", bytes(rows.getString(2))))));
            }
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
        if (!positions.isEmpty()) {
            mark.setArray(1, connection.createArrayOf("bigint", positions.toArray()));
            mark.executeUpdate();
        }
        connection.commit();
        return positions.size();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
