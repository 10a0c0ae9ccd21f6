package dev.signups.loadtests.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.experiments.StageResult.Outage;
import dev.signups.loadtests.experiments.StageResult.Point;
import dev.signups.loadtests.experiments.StageResult.Poison;
import dev.signups.loadtests.signup.Load;
import dev.signups.loadtests.signup.Measurement;
import dev.signups.loadtests.signup.OpenLoad;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path folder;

    @Test
    void isOnePageThatNeedsNothingElse() throws Exception {
        Measurement some = OpenLoad.run(
                new Load(1000, Duration.ofMillis(20), 100, Duration.ofSeconds(5)),
                number -> number % 5 == 0 ? 500 : 201);
        StageResult one = result(1, some, null, null);
        StageResult two = result(2, some, 3L, new Poison(6, 120, 0, 0));
        StageResult three = result(3, some, 0L, new Poison(2, 10, 10, 10));
        Outcome outcome = new Outcome().target("this", "1", "2", false).target("that", "<2>", "2", true);

        new Report(new Workspace(folder, "experiments"), true, one, two, three, outcome).write();

        String page = Files.readString(folder.resolve("load-tests/target/report/index.html"));
        assertThat(page)
                .contains("3.89 s, 20 %", "36.9 s", "3.97 ms, 0")
                .contains("<td class=\"missed\">MISSED</td>", "&lt;2&gt;", "20 %", "quick run")
                .contains("asked for 120 times in 6 s; 0 of the others sent; 0 dead letters")
                .contains("9000, 6.94 h (extrapolated")
                .doesNotContain("src=", "href=", "url(", "NaN", "null", "%s", "%d");
        assertThat(page.split("<svg", -1)).hasSize(5);
        assertThat(folder.resolve("load-tests/target/report/stages.png")).isNotEmptyFile();
    }

    private static StageResult result(int stage, Measurement load, Long duplicates, Poison poison) {
        return new StageResult(
                stage,
                load,
                load,
                stage == 1 ? List.of() : List.of(new Point(0, 0), new Point(60, 9000)),
                new Outage(20, stage == 1 ? 20 : 0, stage == 1 ? 20 : 0, 409, 9000, 25_000, stage == 2),
                0.36,
                duplicates,
                poison,
                "nothing",
                stage == 3 ? load : null,
                stage == 1 ? Map.of("virtual threads", load) : Map.of());
    }
}
