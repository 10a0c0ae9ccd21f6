package dev.signups.loadtests.experiments;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.signup.Measurement;
import dev.signups.loadtests.signup.SignupScenario;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Every experiment of the article at every stage, and the report. */
public final class ExperimentsScenario implements Scenario {

    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(4);
    private static final double MOST_STAGE_3_TO_2 = 1.0;
    private static final double LEAST_EMAILS_TIMES = 400;

    @Override
    public String name() {
        return "experiments";
    }

    @Override
    public String description() {
        return "the article's experiments at its stages 1, 2 and 3, with a report";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of();
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        Extent extent = parameters.quick() ? Extent.QUICK : Extent.FULL;
        StageResult one = run(1, extent, workspace);
        StageResult two = run(2, extent, workspace);
        StageResult three = run(3, extent, workspace);
        Outcome frontDoor = new SignupScenario().run(parameters.quick(), workspace);
        Outcome outcome = outcome(one, two, three).with(frontDoor, "vs_bare", "peak_rps");
        new Report(workspace, parameters.quick(), one, two, three, outcome).write();
        return outcome;
    }

    private static StageResult run(int stage, Extent extent, Workspace workspace)
            throws IOException, InterruptedException, SQLException {
        try (StageRun run = StageRun.start(stage, extent, workspace)) {
            return run.run();
        }
    }

    private static Outcome outcome(StageResult one, StageResult two, StageResult three) {
        double oneP95 = one.slow().percentile(95);
        double oneErrors = one.slow().errorPercent();
        double oneRate = one.busy().answersPerSecond(FIRST_ANSWERS);
        double times = three.emailsPerSecond() / two.emailsPerSecond();
        long twoDuplicates = Objects.requireNonNull(two.duplicates());
        long threeDuplicates = Objects.requireNonNull(three.duplicates());
        StageResult.Poison twoPoison = Objects.requireNonNull(two.poison());
        StageResult.Poison threePoison = Objects.requireNonNull(three.poison());
        Outcome outcome = new Outcome()
                .target(
                        "stage 1 at 20/s: p95",
                        Outcome.rounded(oneP95 / 1000) + " s",
                        "3.5 to 4.2 s",
                        oneP95 >= 3500 && oneP95 <= 4200)
                .target(
                        "stage 1 at 20/s: errors",
                        Outcome.rounded(oneErrors) + " %",
                        "17 to 23 %",
                        oneErrors >= 17 && oneErrors <= 23)
                .target(
                        "stage 1 at 150/s: answers a second",
                        Outcome.rounded(oneRate) + "/s",
                        "60 to 70/s",
                        oneRate >= 60 && oneRate <= 70)
                .atLeast("stage 1 at 150/s: p95", one.busy().percentile(95) / 1000, 10, " s")
                .atMost("stage 2 at 150/s: p95", two.busy().percentile(95), 50, " ms")
                .atMost(
                        "stage 2 at 150/s: errors and dropped",
                        two.busy().failed() + two.busy().dropped(),
                        0,
                        "")
                .atMost(
                        "stage 3 at 150/s: errors and dropped",
                        three.busy().failed() + three.busy().dropped(),
                        0,
                        "")
                .atMost(
                        "stage 3 at 150/s: p95 in times stage 2's",
                        three.busy().percentile(95) / two.busy().percentile(95),
                        MOST_STAGE_3_TO_2,
                        "")
                .target(
                        "stage 1, provider stopped: half-done signups",
                        Long.toString(one.outage().halfDone()),
                        one.outage().failed() + ", all that failed, and more than 0",
                        one.outage().failed() > 0
                                && one.outage().halfDone() == one.outage().failed())
                .target(
                        "stage 1, provider stopped: the retry",
                        Integer.toString(one.outage().retryStatus()),
                        "409",
                        StageRun.isConflict(one.outage().retryStatus()))
                .atMost(
                        "stage 3, provider stopped: failed signups",
                        three.outage().failed(),
                        0,
                        "")
                .atMost("stage 3: half-done signups", (double) three.outage().halfDone(), 0, "")
                .atLeast("stage 2, worker killed: e-mails sent again", (double) twoDuplicates, 1, "")
                .atMost("stage 3, consumer killed: e-mails sent again", (double) threeDuplicates, 0, "")
                .atMost("stage 2, poison: of 10 e-mails behind it sent", (double) twoPoison.othersSent(), 0, "")
                .target(
                        "stage 3, poison: dead letters, e-mails behind them",
                        threePoison.deadLetters() + ", " + threePoison.othersSent(),
                        "10, 10",
                        threePoison.deadLetters() == 10 && threePoison.othersSent() == 10)
                .atLeast("e-mails a second, stage 3 in times stage 2", times, LEAST_EMAILS_TIMES, "")
                .figure("stage1_p95_ms", oneP95)
                .figure("stage1_error_pct", oneErrors)
                .figure("stage1_max_rps", oneRate)
                .figure("stage2_p95_ms", two.busy().percentile(95))
                .figure("stage3_p95_ms", three.busy().percentile(95))
                .figure("stage1_half_done", one.outage().halfDone())
                .figure("stage3_half_done", three.outage().halfDone())
                .figure("stage2_duplicates", twoDuplicates)
                .figure("stage3_duplicates", threeDuplicates)
                .figure("stage2_emails_per_s", two.emailsPerSecond())
                .figure("stage3_emails_per_s", three.emailsPerSecond());
        Measurement alone = three.alone();
        return alone == null
                ? outcome
                : outcome.atMost(
                        "stage 3, everything behind stopped: errors and dropped",
                        (double) alone.failed() + alone.dropped(),
                        0,
                        "");
    }
}
