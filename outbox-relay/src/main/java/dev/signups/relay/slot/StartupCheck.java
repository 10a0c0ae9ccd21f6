package dev.signups.relay.slot;

import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.slot.Problem.Severity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for everything that the relay needs: one line for each thing missing, with its mend. */
public final class StartupCheck {

    private final Database database;
    private final PublishProperties kafka;

    /**
     * @param database the outbox's
     * @param kafka where events go
     */
    public StartupCheck(Database database, PublishProperties kafka) {
        this.database = database;
        this.kafka = kafka;
    }

    /** All problems found, in the database and in Kafka; none if all is well. */
    public List<Problem> run() {
        List<Problem> problems = new ArrayList<>(database());
        problems.addAll(KafkaCheck.run(kafka));
        return problems;
    }

    /** Those found in the database. */
    public List<Problem> database() {
        try (Connection connection = database.open("outbox-relay check")) {
            return run(connection);
        } catch (SQLException e) {
            return List.of(unreachable(e));
        }
    }

    /**
     * What the relay's work depends on, as a short text that changes whenever it does: the identity and version of the
     * publication and of its tables in the catalog. While a publication is away or altered, the log leaves out rows
     * without a word (PostgreSQL 18) or cannot be decoded (before).
     */
    public static String fingerprint(Connection connection, String publication) throws SQLException {
        String text = Database.query(connection, """
                select p.oid || ':' || p.xmin || coalesce(':' ||
                       (select string_agg(r.oid || '.' || r.xmin, ',' order by r.oid)
                        from pg_publication_rel r where r.prpubid = p.oid), '')
                from pg_publication p where p.pubname = ?""", publication);
        return text == null ? "" : text;
    }

    private List<Problem> run(Connection connection) throws SQLException {
        DatabaseProperties p = database.properties();
        List<Problem> problems = new ArrayList<>();
        if (!"logical".equals(Database.query(connection, "show wal_level"))) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "wal_level is " + Database.query(connection, "show wal_level") + ", not logical",
                    "alter system set wal_level = logical; then restart PostgreSQL"));
        }
        if (!"t"
                .equals(Database.query(
                        connection, "select rolreplication or rolsuper from pg_roles where rolname = current_user"))) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "role " + p.user() + " may not replicate",
                    "alter role " + p.user() + " replication;"));
        }
        checkTable(connection, problems);
        checkCapacity(connection, problems);
        if (SlotState.read(connection, p.slot()) == null) {
            String elsewhere = Database.query(
                    connection,
                    "select coalesce(database, 'a physical standby') from pg_replication_slots where slot_name = ?",
                    p.slot());
            if (elsewhere != null) {
                problems.add(new Problem(
                        Severity.FATAL,
                        "slot " + p.slot() + " belongs to " + elsewhere,
                        "set relay.database.slot to another name"));
            }
        }
        if ("-1".equals(Database.query(connection, "show max_slot_wal_keep_size"))) {
            problems.add(new Problem(
                    Severity.WARNING,
                    "max_slot_wal_keep_size is unlimited: a relay that is away for long fills the server's disk",
                    "alter system set max_slot_wal_keep_size = '10GB'; select pg_reload_conf();"));
        }
        return problems;
    }

    private void checkTable(Connection connection, List<Problem> problems) throws SQLException {
        DatabaseProperties p = database.properties();
        if (Database.query(connection, "select to_regclass(?)", p.table()) == null) {
            problems.add(new Problem(
                    Severity.WAITING,
                    "table " + p.table() + " does not exist or its schema may not be used",
                    "start signup-service, which makes it, or: grant usage on schema "
                            + p.table().substring(0, p.table().indexOf('.')) + " to " + p.user() + ";"));
            return;
        }
        if (!"t".equals(Database.query(connection, "select has_table_privilege(?, 'select')", p.table()))) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "role " + p.user() + " may not read " + p.table(),
                    "grant select on " + p.table() + " to " + p.user() + ";"));
        }
        String published = Database.query(
                connection, "select pubinsert and pubviaroot from pg_publication where pubname = ?", p.publication());
        String create = "create publication " + p.publication() + " for table " + p.table()
                + " with (publish = 'insert', publish_via_partition_root = true);";
        if (published == null) {
            problems.add(new Problem(
                    Severity.FATAL, "publication " + p.publication() + " does not exist", "as its owner: " + create));
            return;
        }
        if (Database.query(
                        connection,
                        "select 1 from pg_publication_tables where pubname = ? and format('%s.%s', schemaname, tablename) = ?",
                        p.publication(),
                        p.table())
                == null) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "publication " + p.publication() + " does not contain " + p.table(),
                    "alter publication " + p.publication() + " add table " + p.table() + ";"));
        }
        if (!published.equals("t")) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "publication " + p.publication() + " does not publish inserts by the table's own name",
                    "alter publication " + p.publication()
                            + " set (publish = 'insert', publish_via_partition_root = true);"));
        }
    }

    private void checkCapacity(Connection connection, List<Problem> problems) throws SQLException {
        DatabaseProperties p = database.properties();
        @Nullable SlotState slot = SlotState.read(connection, p.slot());
        if (slot == null
                && "t"
                        .equals(
                                Database.query(
                                        connection,
                                        "select count(*) >= current_setting('max_replication_slots')::int from pg_replication_slots"))) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "all " + Database.query(connection, "show max_replication_slots") + " replication slots are taken",
                    "drop one that nobody uses: select pg_drop_replication_slot('…'); or raise max_replication_slots"
                            + " and restart PostgreSQL"));
        }
        if ((slot == null || slot.activePid() == 0) && "t".equals(Database.query(connection, """
                        select count(*) >= current_setting('max_wal_senders')::int
                        from pg_stat_replication"""))) {
            problems.add(new Problem(
                    Severity.FATAL,
                    "all " + Database.query(connection, "show max_wal_senders") + " WAL senders are taken",
                    "alter system set max_wal_senders = 10; then restart PostgreSQL"));
        }
    }

    private Problem unreachable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        // class 28: the server answered and refused; 3D000: the database is not there
        boolean refused = state.startsWith("28") || state.equals("3D000") || state.equals("42501");
        return new Problem(
                refused ? Severity.FATAL : Severity.WAITING,
                refused ? "PostgreSQL refuses role " + database.properties().user() : "PostgreSQL cannot be reached",
                (refused
                                ? "check DB_USER, DB_PASSWORD and the database's name in DB_URL"
                                : "check DB_URL and the server")
                        + " (SQLSTATE " + state + ")");
    }
}
