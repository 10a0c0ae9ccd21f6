package dev.signups.loadtests.delivery;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import java.time.Duration;
import java.util.Map;

/**
 * E-mails at the provider's pace: signups at a constant rate, a kill -9, the ceiling against C·(1−p)/S, a fast provider,
 * and three peers on the same events and the same provider.
 */
public final class DeliveryScenario implements Scenario {

    private static final double LEAST_OF_FORMULA = 0.95;
    private static final double LEAST_FAST = 1500;
    private static final double MOST_FIRST_REQUEST = 50;
    private static final double MOST_RESIDENT = 512;

    @Override
    public String name() {
        return "delivery";
    }

    @Override
    public String description() {
        return "e-mails at the provider's pace: steady state, kill -9, ceiling, fast provider, and three peers";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("rate", "150", "duration", "60s", "peers", "true");
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        workspace.say("starting the pipeline");
        try (Pipeline pipeline = Pipeline.start(workspace, Map.of("DELIVERY_PERMITS", "1000"))) {
            Runs runs = new Runs(pipeline, workspace, parameters.number("rate"));
            return parameters.quick() ? quick(runs) : full(runs, parameters);
        }
    }

    /** A few seconds of the steady state and of the fast provider: what needs minutes is not measured. */
    private static Outcome quick(Runs runs) throws Exception {
        runs.warmUp(2);
        Runs.Steady steady = runs.steady(Duration.ofSeconds(6), 500, 1000);
        double fast = runs.fast(4000);
        Outcome outcome = new Outcome();
        always(outcome, runs, steady, fast);
        return figures(
                outcome,
                runs,
                steady,
                new Figures(Double.NaN, fast, Double.NaN, steady.deliveries().maxLag(), Map.of()));
    }

    private static Outcome full(Runs runs, Parameters parameters) throws Exception {
        runs.warmUp(6);
        Runs.Steady steady = runs.steady(parameters.time("duration"), 2000, 4000);
        Runs.Ceiling thousand = runs.ceiling(1000, 15, false);
        double fast = runs.fast(20_000);
        Runs.Compared ours = runs.killed();
        Runs.Ceiling small = runs.ceiling(200, 20, true);
        Runs.Ceiling large = runs.ceiling(4000, 15, true);

        Outcome outcome = new Outcome();
        Deliveries all = steady.deliveries();
        double early = all.meanDepth(15, 30);
        double late = all.meanDepth(45, 60);
        outcome.atMost("depth, last quarter over second", late / early, 1.1, "")
                .atMost("99 % accepted after the last signup", all.secondsAfterLast(0.99), 20, " s")
                .atMost("all accepted after the last signup", all.secondsAfterLast(1), 120, " s");
        always(outcome, runs, steady, fast);
        for (Runs.Ceiling ceiling : new Runs.Ceiling[] {small, thousand, large}) {
            outcome.atLeast(
                    "C = %d: %.0f/s of %.0f/s".formatted(ceiling.permits(), ceiling.measured(), ceiling.formula()),
                    ceiling.share(),
                    LEAST_OF_FORMULA,
                    "");
        }
        outcome.atMost("resident at C = 4000", large.residentMegabytes(), MOST_RESIDENT, " MB");
        Map<String, Double> ratios = Map.of();
        if (parameters.flag("peers")) {
            double stage2 = against(outcome, runs, Peer.Kind.STAGE2, ours, 400);
            double retryable = against(outcome, runs, Peer.Kind.RETRYABLE_TOPIC, ours, 20);
            double modulith = against(outcome, runs, Peer.Kind.MODULITH, ours, 1);
            ratios = Map.of("vs_stage2", stage2, "vs_retryable_topic", retryable, "vs_modulith", modulith);
        }
        double share = Math.min(small.share(), Math.min(thousand.share(), large.share()));
        return figures(
                outcome,
                runs,
                steady,
                new Figures(
                        share,
                        fast,
                        large.residentMegabytes(),
                        Math.max(all.maxLag(), ours.deliveries().maxLag()),
                        ratios));
    }

    private static double against(Outcome outcome, Runs runs, Peer.Kind kind, Runs.Compared ours, double least)
            throws Exception {
        double ratio = Double.NaN;
        try {
            ratio = ours.perSecond() / runs.peer(kind).perSecond();
        } catch (IllegalStateException e) {
            // a peer that does not run is a target missed, and no reason to lose what was measured before
            System.out.println(e.getMessage());
        }
        outcome.atLeast("accepted/s in times " + kind.label + "'s", ratio, least, "×");
        return ratio;
    }

    private static void always(Outcome outcome, Runs runs, Runs.Steady steady, double fast) {
        outcome.atLeast("50 ms provider", fast, LEAST_FAST, " e-mails/s")
                .atMost("commit to first request, p99", steady.firstRequestMillis(), MOST_FIRST_REQUEST, " ms")
                .atMost("duplicates over all runs", (double) runs.duplicates(), 0, "")
                .atMost("lost over all runs", (double) runs.lost(), 0, "");
    }

    private record Figures(double ceiling, double fast, double resident, long maxLag, Map<String, Double> ratios) {}

    private static Outcome figures(Outcome outcome, Runs runs, Runs.Steady steady, Figures figures) {
        return outcome.figure("signups", steady.deliveries().events())
                .figure("accepted_unique", steady.deliveries().acceptedUnique())
                .figure("duplicates", runs.duplicates())
                .figure("lost", runs.lost())
                .figure("ceiling_vs_formula", figures.ceiling())
                .figure("fast_eps", figures.fast())
                .figure("drain_s", steady.deliveries().secondsAfterLast(1))
                .figure("first_request_p99_ms", steady.firstRequestMillis())
                .figure("max_lag", figures.maxLag())
                .figure("rss_mb", figures.resident())
                .figure("vs_stage2", figures.ratios().getOrDefault("vs_stage2", Double.NaN))
                .figure("vs_retryable_topic", figures.ratios().getOrDefault("vs_retryable_topic", Double.NaN))
                .figure("vs_modulith", figures.ratios().getOrDefault("vs_modulith", Double.NaN));
    }
}
