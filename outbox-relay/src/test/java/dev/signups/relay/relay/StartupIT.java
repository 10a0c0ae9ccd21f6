package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.localstack.Ports;
import dev.signups.relay.slot.Database;
import dev.signups.relay.slot.DatabaseProperties;
import dev.signups.relay.slot.Problem;
import dev.signups.relay.slot.Problem.Severity;
import dev.signups.relay.slot.StartupCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is missing is said in one line each, with the statement that mends it, and start-up stops. */
class StartupIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();

    @TempDir
    Path folder;

    @Test
    void findsNothingWrongWithAGoodDatabase() {
        assertThat(check(Outbox.create(LocalStack.postgres()))).isEmpty();
    }

    @Test
    void namesWhatIsMissingOnTheServer() {
        try (LocalPostgres poor = LocalPostgres.start(
                folder.resolve("postgres"),
                0,
                "wal_level=replica",
                "max_replication_slots=1",
                "max_wal_senders=0",
                "max_slot_wal_keep_size=-1")) {
            Outbox outbox = Outbox.create(poor);
            outbox.asSuperuser("alter role relay noreplication");
            poor.execute("postgres", "select pg_create_physical_replication_slot('taken')");
            assertThat(check(outbox))
                    .filteredOn(problem -> problem.severity() == Severity.FATAL)
                    .extracting(Problem::line)
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line)
                                    .contains(
                                            "wal_level is replica", "alter system set wal_level = logical", "restart"),
                            line -> assertThat(line)
                                    .contains("role relay may not replicate", "alter role relay replication;"),
                            line -> assertThat(line)
                                    .contains("all 1 replication slots are taken", "max_replication_slots"),
                            line -> assertThat(line)
                                    .contains("all 0 WAL senders are taken", "alter system set max_wal_senders"));
            assertThat(check(outbox))
                    .filteredOn(problem -> problem.severity() == Severity.WARNING)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.mend()).contains("max_slot_wal_keep_size"));
            try (TestRelay relay = TestRelay.start(outbox, kafka)) {
                await().atMost(Duration.ofSeconds(20)).until(relay::isFatal);
                assertThat(relay.status().reasonNotReady())
                        .contains("alter system set wal_level = logical", "alter role relay replication;");
            }
        }
    }

    @Test
    void namesWhatIsMissingInTheDatabase() {
        Outbox outbox = Outbox.create(LocalStack.postgres());
        outbox.asOwner("revoke select on outbox from relay");
        outbox.asOwner("drop publication outbox");
        assertThat(check(outbox))
                .extracting(Problem::line)
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("grant select on public.outbox to relay;"),
                        line -> assertThat(line)
                                .contains(
                                        "publication outbox does not exist",
                                        "create publication outbox for table public.outbox with (publish = 'insert'"));
        outbox.asOwner("grant select on outbox to relay");
        outbox.asOwner("create table other(id int primary key)");
        outbox.asOwner(
                "create publication outbox for table other with (publish = 'insert', publish_via_partition_root = true)");
        assertThat(check(outbox))
                .extracting(Problem::line)
                .singleElement()
                .satisfies(line -> assertThat(line).contains("alter publication outbox add table public.outbox;"));
        outbox.asOwner("alter publication outbox set table outbox");
        outbox.asOwner("drop table outbox");
        assertThat(check(outbox)).singleElement().satisfies(problem -> {
            assertThat(problem.severity())
                    .as("the owner makes it when it starts")
                    .isEqualTo(Severity.WAITING);
            assertThat(problem.line()).contains("public.outbox");
        });
    }

    @Test
    void namesTheServerThatIsNotThereAndTheOneThatRefuses() {
        Outbox outbox = Outbox.create(LocalStack.postgres());
        assertThat(check("jdbc:postgresql://127.0.0.1:" + Ports.free() + "/signup", "relay"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.severity()).isEqualTo(Severity.WAITING);
                    assertThat(problem.line()).contains("DB_URL");
                });
        assertThat(check(outbox.jdbcUrl(), "nobody")).singleElement().satisfies(problem -> {
            assertThat(problem.severity()).isEqualTo(Severity.FATAL);
            assertThat(problem.line()).contains("nobody", "DB_USER");
        });
        assertThat(check(outbox.jdbcUrl() + "_missing", "relay"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.line()).contains("DB_URL"));
    }

    /** The process ends, and what it says last is what to do. */
    @Test
    void processEndsWithOneMessage() {
        Outbox outbox = Outbox.create(LocalStack.postgres());
        outbox.asOwner("drop publication outbox");
        try (RelayProcess relay = RelayProcess.start(outbox, kafka);
                RelayProcess nobody = RelayProcess.start(outbox, kafka, "192m", Map.of("OPERATOR_PASSWORD", ""));
                RelayProcess mistaken = RelayProcess.start(outbox, kafka, "relay.engine.batch-rows=0")) {
            assertThat(relay.exitCode(Duration.ofSeconds(90))).isNotZero();
            assertThat(relay.log().lines().filter(line -> line.contains("create publication outbox for table")))
                    .hasSize(1);
            assertThat(relay.log()).doesNotContain("\tat ");
            assertThat(nobody.exitCode(Duration.ofSeconds(90))).isNotZero();
            assertThat(nobody.log()).contains("OPERATOR_PASSWORD is not set");
            assertThat(mistaken.exitCode(Duration.ofSeconds(90))).isNotZero();
            assertThat(mistaken.log()).containsPattern("relay\\.engine\\.batch-?[rR]ows");
        }
    }

    private List<Problem> check(Outbox outbox) {
        return new StartupCheck(new Database(TestRelay.database(outbox)), TestRelay.kafka(outbox, kafka)).run();
    }

    private List<Problem> check(String url, String user) {
        DatabaseProperties properties =
                new DatabaseProperties(url, user, "", "slot", false, "outbox", "public.outbox", Duration.ofSeconds(1));
        return new StartupCheck(
                        new Database(properties),
                        TestRelay.of(url, "none", kafka).kafka())
                .database();
    }
}
