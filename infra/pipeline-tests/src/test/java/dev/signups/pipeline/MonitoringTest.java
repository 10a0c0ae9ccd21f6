package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MonitoringTest {

    @TempDir
    Path folder;

    @Test
    void everyAlertSaysWhatHasHappenedAndWhatToDo() {
        assertThat(Monitoring.alerts()).isNotEmpty().allSatisfy(alert -> {
            assertThat(alert.at("/annotations/summary").asString()).isNotBlank();
            assertThat(alert.at("/annotations/runbook").asString()).isNotBlank();
            assertThat(alert.at("/labels/severity").asString()).isIn("critical", "warning");
        });
    }

    @Test
    void everyAlertIsTestedWhereItMustFireAndWhereItMustNot() {
        List<JsonNode> cases = Contract.yaml(Monitoring.PROMETHEUS.resolve("alerts.test.yaml"))
                .path("tests")
                .valueStream()
                .flatMap(test -> test.path("alert_rule_test").valueStream())
                .toList();
        List<String> alerts = Monitoring.alerts().stream()
                .map(alert -> alert.path("alert").asString())
                .toList();
        for (boolean silent : new boolean[] {true, false}) {
            assertThat(cases.stream()
                            .filter(one -> one.path("exp_alerts").isEmpty() == silent)
                            .map(one -> one.path("alertname").asString()))
                    .containsAll(alerts);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"check config prometheus.yaml", "check rules alerts.yaml", "test rules alerts.test.yaml"})
    void promtoolAgrees(String arguments) throws Exception {
        assumeThat(SubscribersIT.isThere("promtool")).as("promtool on the PATH").isTrue();
        Path output = folder.resolve("output");
        Process promtool = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments.split(" ")))
                        .toList())
                .directory(Monitoring.PROMETHEUS.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(promtool.exitValue()).as(Contract.read(output)).isZero();
    }

    @Test
    void dashboardsHaveDifferentIdsAndPanelsThatAsk() {
        List<JsonNode> dashboards = Monitoring.dashboards();
        assertThat(dashboards)
                .extracting(one -> one.path("uid").asString())
                .doesNotHaveDuplicates()
                .hasSize(3);
        assertThat(dashboards)
                .allSatisfy(one -> assertThat(one.path("panels").valueStream())
                        .isNotEmpty()
                        .allSatisfy(panel -> assertThat(
                                        panel.path("type").asString().equals("alertlist")
                                                || !panel.findValuesAsString("expr")
                                                        .isEmpty())
                                .isTrue()));
    }
}
