package dev.signups.loadtests.relay.peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * The least that could be done: the driver's replication stream, its pgoutput messages parsed by hand, and the same
 * records as the relay's sent without waiting, transactions or a position. Nothing that reads the log in Java and
 * writes to Kafka is expected to be quicker. It is no product: it repeats after every restart and stops at every fault.
 */
public final class Floor {

    private static final byte[] SPEC_VERSION = bytes("1.0");
    private static final byte[] SOURCE = bytes("/signup-service");
    private static final byte[] JSON = bytes("application/json");
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm", "+00")
            .toFormatter();

    private Floor() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws SQLException {
        Settings settings = new Settings(arguments);
        Properties properties = new Properties();
        properties.setProperty("user", "relay");
        properties.setProperty("replication", "database");
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("assumeMinServerVersion", "14");
        try (KafkaProducer<byte[], byte[]> producer = settings.tunedProducer();
                Connection connection = DriverManager.getConnection(settings.jdbcUrl(), properties);
                PGReplicationStream stream = connection
                        .unwrap(PGConnection.class)
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName(settings.get("slot"))
                        .withSlotOption("proto_version", 1)
                        .withSlotOption("publication_names", "outbox")
                        .start()) {
            AtomicLong acknowledged = new AtomicLong();
            long told = System.nanoTime();
            while (true) {
                ByteBuffer message = stream.readPending();
                if (message == null) {
                    LockSupport.parkNanos(1_000_000);
                } else if (message.get() == 'I') {
                    long lsn = stream.getLastReceiveLSN().asLong();
                    var _ = producer.send(record(settings.get("topics"), message), (_, error) -> {
                        if (error != null) {
                            error.printStackTrace();
                            Runtime.getRuntime().halt(1);
                        }
                        acknowledged.accumulateAndGet(lsn, Math::max);
                    });
                }
                if (System.nanoTime() - told > 1_000_000_000) {
                    told = System.nanoTime();
                    stream.setFlushedLSN(LogSequenceNumber.valueOf(acknowledged.get()));
                }
            }
        }
    }

    /** An insert: relation, 'N', number of columns, and for each its kind, length and text. */
    private static ProducerRecord<byte[], byte[]> record(String topics, ByteBuffer message) {
        message.getInt();
        message.get();
        byte[][] columns = new byte[message.getShort()][];
        for (int i = 0; i < columns.length; i++) {
            if (message.get() == 't') {
                columns[i] = new byte[message.getInt()];
                message.get(columns[i]);
            }
        }
        OffsetDateTime time = OffsetDateTime.parse(text(columns[6]), TIME);
        return new ProducerRecord<>(
                topics + text(columns[1]),
                null,
                time.toInstant().toEpochMilli(),
                columns[2],
                columns[4],
                new RecordHeaders()
                        .add("id", columns[0])
                        .add("ce_specversion", SPEC_VERSION)
                        .add("ce_id", columns[0])
                        .add("ce_type", columns[3])
                        .add("ce_source", SOURCE)
                        .add("ce_time", bytes(time.toInstant().toString()))
                        .add("content-type", JSON));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
