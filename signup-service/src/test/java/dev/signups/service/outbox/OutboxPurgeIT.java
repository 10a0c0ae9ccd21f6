package dev.signups.service.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** Rows leave the outbox once they are published, and in no other case. */
class OutboxPurgeIT {

    private final LocalPostgres postgres = LocalStack.postgres();
    private final String slot = "purge_" + UUID.randomUUID().toString().substring(0, 8);

    private RunningService service;
    private OutboxPurge purge;

    @BeforeEach
    void start() {
        service = RunningService.start(
                postgres, "signup.outbox.retention=1h", "signup.outbox.purge-batch=2", "signup.outbox.slot=" + slot);
        purge = service.bean(OutboxPurge.class);
    }

    @AfterEach
    void stop() {
        service.close();
        postgres.execute(
                "postgres",
                "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '" + slot
                        + "'");
    }

    @Test
    void keepsEverythingWithoutASlot() {
        oldRows(5);

        rounds(3);

        assertThat(service.rows("outbox")).isEqualTo(5);
        assertThat(metrics()).contains("outbox_purge_blocked 1.0").contains("outbox_oldest_row_age_seconds 7");
    }

    @Test
    void keepsEverythingWhileNobodyReadsTheSlot() {
        oldRows(5);
        // a new slot's position lies after the rows, which were never published through it
        createSlot();

        rounds(3);

        assertThat(service.rows("outbox")).isEqualTo(5);
        assertThat(metrics()).contains("outbox_purge_blocked 1.0");
    }

    @Test
    void keepsWhatTheRelayHasNotConfirmed() throws Exception {
        createSlot();
        try (Relay relay = new Relay()) {
            oldRows(5);
            purge.round();
            service.post(RunningService.signup("later@example.com"));
            purge.round();
            assertThat(service.rows("outbox")).isEqualTo(6);

            relay.confirm();
            purge.round();

            assertThat(service.rows("outbox")).isEqualTo(1);
            assertThat(service.query("select payload->>'email' from outbox")).isEqualTo("later@example.com");
            assertThat(metrics()).contains("outbox_purged_rows_total 5.0").contains("outbox_purge_blocked 0.0");
        }
    }

    @Test
    void keepsAnOldRowThatCameAfterTheNote() throws Exception {
        createSlot();
        try (Relay relay = new Relay()) {
            oldRows(5);
            purge.round();
            relay.confirm();
            service.execute("insert into outbox values (gen_random_uuid(), 'user', 'late', 'UserSignedUp', '{}', null,"
                    + " now() - interval '3 hours')");

            purge.round();

            assertThat(service.rows("outbox")).isEqualTo(1);
            assertThat(service.query("select aggregateid from outbox")).isEqualTo("late");
        }
    }

    @Test
    void doesNotTrustAPositionFromAnotherSession() throws Exception {
        createSlot();
        try (Relay first = new Relay()) {
            first.confirm();
            oldRows(5);
            purge.round();
        }
        postgres.execute(service.database(), "select pg_drop_replication_slot('" + slot + "')");
        createSlot();
        try (Relay second = new Relay()) {
            second.confirm();
            purge.round();
            assertThat(service.rows("outbox")).isEqualTo(5);

            second.confirm();
            purge.round();
            assertThat(service.rows("outbox")).isZero();
        }
    }

    @Test
    void leavesTheWorkToAnInstanceThatIsAtIt() throws Exception {
        createSlot();
        try (Relay relay = new Relay();
                Connection other = postgres.connect(service.database());
                Statement statement = other.createStatement()) {
            oldRows(5);
            purge.round();
            relay.confirm();
            statement.execute("select pg_advisory_lock(" + 0x6F_7574_626F_78L + ")");
            purge.round();
            assertThat(service.rows("outbox")).isEqualTo(5);

            statement.execute("select pg_advisory_unlock_all()");
            relay.confirm();
            purge.round();
            assertThat(service.rows("outbox")).isZero();
        }
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            purge.round();
        }
    }

    private void oldRows(int count) {
        service.execute("insert into outbox select gen_random_uuid(), 'user', n::text, 'UserSignedUp', '{}', null,"
                + " now() - interval '2 hours' from generate_series(1, " + count + ") n");
    }

    private void createSlot() {
        postgres.execute(service.database(), "select pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    }

    private String metrics() {
        return service.get("/actuator/prometheus").body();
    }

    /** Stands in for the relay: streams from the slot and confirms what it is told to. */
    private final class Relay implements AutoCloseable {

        private final Connection connection;
        private final PGReplicationStream stream;

        Relay() throws SQLException {
            Properties properties = new Properties();
            properties.setProperty("user", "relay");
            properties.setProperty("replication", "database");
            properties.setProperty("assumeMinServerVersion", "17");
            properties.setProperty("preferQueryMode", "simple");
            connection = DriverManager.getConnection(postgres.jdbcUrl(service.database()), properties);
            stream = connection
                    .unwrap(PGConnection.class)
                    .getReplicationAPI()
                    .replicationStream()
                    .logical()
                    .withSlotName(slot)
                    .withSlotOption("proto_version", "1")
                    .withSlotOption("publication_names", "outbox")
                    .start();
        }

        void confirm() throws SQLException {
            String now = service.query("select pg_current_wal_insert_lsn()::text");
            stream.setFlushedLSN(LogSequenceNumber.valueOf(now));
            stream.forceUpdateStatus();
            await().until(() -> "t"
                    .equals(service.query("select confirmed_flush_lsn >= '" + now
                            + "'::pg_lsn from pg_replication_slots where slot_name = '" + slot + "'")));
        }

        @Override
        public void close() throws SQLException {
            connection.close();
            await().until(() -> "f"
                    .equals(service.query("select active from pg_replication_slots where slot_name = '" + slot + "'")));
        }
    }
}
