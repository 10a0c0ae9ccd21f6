package dev.signups.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The consumer's own database is away: case D18. */
class LedgerOutageIT {

    @TempDir
    Path folder;

    @Test
    void databaseAwayForAWhile() {
        outage(Duration.ofSeconds(8));
    }

    @Test
    @Tag("long")
    void databaseAwayForAMinute() {
        outage(Duration.ofSeconds(60));
    }

    /** A full disk, a grant taken away, a cancelled statement: none is a record's fault, and none costs a record. */
    @Test
    void insertsRefusedForAWhile() {
        try (Setting setting = new Setting()) {
            App app = setting.start();
            setting.execute("create function refuse() returns trigger language plpgsql as"
                    + " $$ begin raise exception using errcode = tg_argv[0], message = 'refused'; end $$");
            int users = 0;
            for (String state : List.of("53100", "42501", "57014")) {
                setting.execute("create trigger refuse before insert on email_delivery execute function refuse('"
                        + state + "')");
                setting.signUp(users, users + 20);
                await().atMost(Duration.ofSeconds(30)).until(() -> app.operator.metric("email_inbox_lag") == 20);
                await().during(Duration.ofSeconds(3))
                        .atMost(Duration.ofSeconds(6))
                        .until(() -> setting.lag() == 20);
                assertThat(app.operator.get("/api/bad-records")).as(state).isEmpty();
                setting.execute("drop trigger refuse on email_delivery");
                int all = users += 20;
                await().atMost(Duration.ofSeconds(30)).until(() -> setting.count("status = 'SENT'") == all);
                await().atMost(Duration.ofSeconds(30)).until(() -> setting.lag() == 0);
            }
            assertThat(setting.provider.acceptedUnique()).isEqualTo(users);
            assertThat(setting.provider.duplicates()).isZero();
        }
    }

    private void outage(Duration time) {
        try (LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"), 0);
                Setting setting = new Setting(postgres, LocalStack.kafka())) {
            setting.with("delivery.lease", "5s").provider.slow(Duration.ofMillis(500), Duration.ofMillis(1500));
            App app = setting.start();
            setting.signUp(0, 100);
            await().atMost(Duration.ofSeconds(30)).until(() -> setting.provider.inFlight() > 50);
            postgres.kill();
            setting.signUp(100, 200);
            await().pollDelay(time).atMost(time.plusSeconds(20)).until(() -> true);
            int calls = setting.provider.requests();
            assertThat(calls).as("nothing new is sent without a ledger").isLessThanOrEqualTo(100);
            assertThat(app.operator.readiness().statusCode()).isEqualTo(503);
            postgres.start();
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> setting.count("status = 'SENT'") == 200);
            assertThat(setting.provider.acceptedUnique()).isEqualTo(200);
            assertThat(setting.provider.duplicates()).isZero();
            // what was learnt during the outage was written before anything was claimed again
            assertThat(setting.provider.replayed()).isZero();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> app.operator.readiness().statusCode() == 200);
            await().atMost(Duration.ofSeconds(30)).until(() -> setting.lag() == 0);
        }
    }
}
