package dev.signups.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import dev.signups.localstack.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StartupIT {

    @TempDir
    Path folder;

    @Test
    void needsAnOperatorsPassword(CapturedOutput output) {
        failsToStart(LocalStack.postgres().jdbcUrl("signup"), "signup.operator.password=");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("set the environment variable OPERATOR_PASSWORD");
    }

    @Test
    void namesTheDatabaseThatItCannotReach(CapturedOutput output) {
        String url = "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/signup";

        failsToStart(url + "?password=geheim", "spring.flyway.connect-retries=0");

        assertThat(output)
                .contains("The database cannot be used: DB_URL=" + url + " DB_USER=signup")
                .doesNotContain("geheim");
    }

    @Test
    void saysThatTheRelaysRoleIsMissing(CapturedOutput output) {
        try (LocalPostgres bare = LocalPostgres.start(folder.resolve("postgres"), 0)) {
            bare.execute("postgres", "revoke all on database signup from relay");
            bare.execute("postgres", "drop role relay");

            failsToStart(bare.jdbcUrl("signup"));

            assertThat(output).contains("role \"relay\" is missing: run infra/postgres/init.sql");
            assertThat(bare.query("signup", "select to_regclass('users')::text"))
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "signup.max-body=1GB",
                "signup.welcome-email=pigeon",
                "signup.outbox.concurrency=0",
                "signup.outbox.retention=-1s",
                "signup.password.strength=4"
            })
    void refusesBadSettingsByName(String setting, CapturedOutput output) {
        failsToStart(LocalStack.postgres().jdbcUrl("signup"), setting);

        String key = setting.substring(0, setting.indexOf('='));
        String leaf = key.substring(key.lastIndexOf('.') + 1);
        assertThat(output).contains("APPLICATION FAILED TO START").contains(leaf);
    }

    @Test
    void setsUpTheDatabaseForTheRelay() throws Exception {
        try (RunningService service = RunningService.start(LocalStack.postgres())) {
            assertThat(
                            service.query(
                                    "select string_agg(column_name || ' ' || data_type || ' ' || is_nullable, ', '"
                                            + " order by ordinal_position) from information_schema.columns where table_name = 'outbox'"))
                    .isEqualTo("id uuid NO, aggregatetype text NO, aggregateid text NO, type text NO, payload json NO,"
                            + " traceparent text YES, created_at timestamp with time zone NO");
            assertThat(service.query("select pubinsert::text || pubupdate || pubdelete || pubtruncate || pubviaroot"
                            + " from pg_publication where pubname = 'outbox'"))
                    .isEqualTo("truefalsefalsefalsetrue");
            assertThat(service.query("select has_table_privilege('relay', 'outbox', 'select')::text"
                            + " || has_table_privilege('relay', 'outbox', 'insert, update, delete')"
                            + " || has_table_privilege('relay', 'users', 'select')"))
                    .isEqualTo("truefalsefalse");
        }
    }

    private static void failsToStart(String url, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0", "--DB_URL=" + url, "--OPERATOR_PASSWORD=" + RunningService.OPERATOR_PASSWORD));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        assertThatException()
                .isThrownBy(() -> new SpringApplicationBuilder(SignupApplication.class)
                        .run(arguments.toArray(String[]::new))
                        .close());
    }
}
