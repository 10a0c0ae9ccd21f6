package dev.signups.loadtests.relay;

import dev.signups.loadtests.Workspace;
import dev.signups.localstack.LocalKafka;
import dev.signups.localstack.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** A PostgreSQL with the outbox of signup-service and a Kafka, both durable, for one run. */
final class Stand implements AutoCloseable {

    /** Table, publication and grant are signup-service's own; the second table is a poller's. */
    private static final String MIGRATION = "signup-service/src/main/resources/db/migration/V1__users_and_outbox.sql";

    private static final String POLLED_OUTBOX = """
            create table polled_outbox (
              like outbox including all,
              position      bigint generated always as identity,
              published_at  timestamptz
            );
            create index polled_outbox_unpublished_idx on polled_outbox (position) where published_at is null;""";

    private final LocalPostgres postgres;
    private final LocalKafka kafka;
    private final String database;

    private Stand(LocalPostgres postgres, LocalKafka kafka) {
        this.postgres = postgres;
        this.kafka = kafka;
        this.database = postgres.createDatabase("signup");
    }

    static Stand start(Workspace workspace) throws SQLException, IOException {
        // Ctrl-C leaves nothing behind: servers and contenders are children of this process
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        Path folder = workspace.folder("servers");
        CompletableFuture<LocalKafka> kafka =
                CompletableFuture.supplyAsync(() -> LocalKafka.start(folder.resolve("kafka"), 0));
        LocalPostgres postgres = LocalPostgres.start(
                folder.resolve("postgres"),
                0,
                // each contender's slot keeps the whole backlog, and no checkpoint falls into one contender's time
                // alone
                "max_slot_wal_keep_size=-1",
                "max_wal_size=4GB",
                "checkpoint_timeout=30min");
        Stand stand = new Stand(postgres, kafka.join());
        try (Connection connection = stand.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(workspace.root().resolve(MIGRATION)));
            statement.execute(POLLED_OUTBOX);
        }
        return stand;
    }

    int port() {
        return postgres.port();
    }

    String database() {
        return database;
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    /** A connection as the owner of the outbox. */
    Connection connect() throws SQLException {
        return postgres.connect(database, "signup");
    }

    /** A slot that keeps everything that is committed from now on. */
    void createSlot(String name) {
        postgres.execute(database, "select pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
    }

    boolean isActive(String slot) {
        return "t"
                .equals(postgres.query(
                        database, "select active from pg_replication_slots where slot_name = '" + slot + "'"));
    }

    void dropSlot(String name) {
        postgres.execute(database, "select pg_drop_replication_slot('" + name + "')");
    }

    /**
     * Rows of single-row transactions, committed one after the other by the server: numbers {@code from} to {@code to},
     * the latter left out. Without the wait for each commit's flush: it is the reading that is measured.
     */
    void fill(int from, int to) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            statement.execute("""
                    do $$ begin
                      for n in %d..%d loop
                        insert into outbox (id, aggregatetype, aggregateid, type, payload)
                        values (gen_random_uuid(), 'user', 'fill-' || n %% 1000, 'UserSignedUp', %s);
                        commit;
                      end loop;
                    end $$""".formatted(from, to - 1, payload("n")));
        }
        postgres.execute(database, "checkpoint");
    }

    /** The event as an SQL expression of its number: what signup-service writes, with the number in front. */
    static String payload(String number) {
        return "('{\"n\":' || " + number + " || ',\"userId\":\"00000000-0000-4000-8000-000000000000\","
                + "\"email\":\"ada.lovelace@example.test\",\"firstName\":\"Ada\",\"lastName\":\"Lovelace\","
                + "\"signedUpAt\":\"2026-12-01T00:00:00Z\"}')::json";
    }

    /** The numbers in the table. */
    BitSet numbers() throws SQLException {
        BitSet numbers = new BitSet();
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(10_000);
                try (ResultSet rows = statement.executeQuery("select (payload ->> 'n')::int from outbox")) {
                    while (rows.next()) {
                        numbers.set(rows.getInt(1));
                    }
                }
            }
        }
        return numbers;
    }

    @Override
    public void close() {
        kafka.kill();
        postgres.stop(LocalPostgres.StopMode.IMMEDIATE);
    }
}
