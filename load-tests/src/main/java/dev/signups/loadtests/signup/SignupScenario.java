package dev.signups.loadtests.signup;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import java.time.Duration;
import java.util.Map;

/** The front door of stage 3 at a constant rate, beside a bare transaction, and the highest rate of both. */
public final class SignupScenario implements Scenario {

    private static final int RATE = 150;
    private static final Duration DURATION = Duration.ofSeconds(60);
    private static final double MOST_TIMES_BARE = 2.0;
    private static final double LEAST_PEAK = 1500;
    private static final double LEAST_SHARE_OF_BARE_PEAK = 0.5;

    @Override
    public String name() {
        return "signup";
    }

    @Override
    public String description() {
        return "signups at a constant rate, beside a bare transaction of two inserts, and the highest rate of both";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("rate", Integer.toString(RATE), "duration", DURATION.toSeconds() + "s");
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        return run(parameters.number("rate"), parameters.time("duration"), parameters.quick(), workspace);
    }

    /** Runs it with its defaults, as a part of another scenario. */
    public Outcome run(boolean quick, Workspace workspace) throws Exception {
        return run(RATE, DURATION, quick, workspace);
    }

    private Outcome run(int rate, Duration asked, boolean quick, Workspace workspace) throws Exception {
        Duration duration = quick && asked.toSeconds() > 6 ? Duration.ofSeconds(6) : asked;
        Duration step = Duration.ofMillis(quick ? 1000 : 4000);

        workspace.say("starting the pipeline");
        try (Pipeline pipeline = Pipeline.start(workspace, Map.of());
                BareTransaction bare = new BareTransaction(pipeline);
                SignupClient warmUp = new SignupClient(pipeline.url("signup-service"), "warm-up-");
                SignupClient signups = new SignupClient(pipeline.url("signup-service"), "signup-");
                SignupClient peak = new SignupClient(pipeline.url("signup-service"), "peak-")) {
            workspace.say("warming up");
            Duration warm = Duration.ofSeconds(15);
            OpenLoad.run(Load.of(quick ? rate : 2.0 * rate, warm), warmUp);
            OpenLoad.run(Load.of(rate, warm.dividedBy(3)), bare);

            // before and after, so that what drifts on the machine touches both
            Measurement before = OpenLoad.run(Load.of(rate, duration.dividedBy(4)), bare);
            workspace.say("bare transactions: " + before.summary());
            Measurement measured = OpenLoad.run(Load.of(rate, duration), signups);
            workspace.say("signups: " + measured.summary());
            Measurement after = OpenLoad.run(Load.of(rate, duration.dividedBy(4)), bare);
            workspace.say("bare transactions: " + after.summary());
            double vsBare = measured.percentile(95) / ((before.percentile(95) + after.percentile(95)) / 2);

            double peakRate = new PeakRate("signups", peak, step, workspace).find();
            double barePeak = new PeakRate("bare transactions", bare, step, workspace).find();

            return new Outcome()
                    .target(
                            "stage 3 at " + rate + "/s: answered 201",
                            Integer.toString(measured.ok()),
                            Integer.toString(measured.load().arrivals()),
                            measured.ok() == measured.load().arrivals())
                    .atMost("stage 3 at " + rate + "/s: p95 in times a bare transaction's", vsBare, MOST_TIMES_BARE, "")
                    .atLeast("stage 3: highest rate with p95 ≤ 50 ms", peakRate, LEAST_PEAK, "/s")
                    .atLeast(
                            "the same in times the bare transaction's",
                            peakRate / barePeak,
                            LEAST_SHARE_OF_BARE_PEAK,
                            "")
                    .figure("rate", rate)
                    .figure("requests", measured.requests())
                    .figure("ok", measured.ok())
                    .figure("p50_ms", measured.percentile(50))
                    .figure("p95_ms", measured.percentile(95))
                    .figure("p99_ms", measured.percentile(99))
                    .figure("max_vus", measured.maxUsers())
                    .figure("dropped", measured.dropped())
                    .figure("vs_bare", vsBare)
                    .figure("peak_rps", peakRate)
                    .figure("bare_p95_ms", (before.percentile(95) + after.percentile(95)) / 2)
                    .figure("bare_peak_rps", barePeak);
        }
    }
}
