package dev.signups.loadtests.signup;

import dev.signups.loadtests.Workspace;
import java.time.Duration;

/** Looks for the highest rate at which every request succeeds and p95 stays within a limit. */
final class PeakRate {

    private static final double LIMIT_MILLIS = 50;
    private static final double FIRST = 200;
    private static final double STEP = 1.35;
    private static final double HIGHEST = 20_000;

    private final String name;
    private final OpenLoad.Request request;
    private final Duration each;
    private final Workspace workspace;
    private int sent;

    PeakRate(String name, OpenLoad.Request request, Duration each, Workspace workspace) {
        this.name = name;
        this.request = request;
        this.each = each;
        this.workspace = workspace;
    }

    /** Goes up by a third until it fails twice, then tries once between the last success and the failure. */
    double find() throws InterruptedException {
        double good = 0;
        double rate = FIRST;
        while (rate < HIGHEST && holdsInOneOfTwo(rate)) {
            good = rate;
            rate *= STEP;
        }
        double between = (good + rate) / 2;
        return holds(between) ? between : good;
    }

    /** One pause of the machine is no verdict. */
    private boolean holdsInOneOfTwo(double rate) throws InterruptedException {
        boolean held = holds(rate);
        return held || holds(rate);
    }

    private boolean holds(double rate) throws InterruptedException {
        int first = sent;
        Load load = new Load(rate, each, (int) rate, Duration.ofSeconds(5));
        Measurement measured = OpenLoad.run(load, number -> request.send(first + number));
        sent += load.arrivals();
        workspace.say("%s at %.0f/s: %s".formatted(name, rate, measured.summary()));
        return measured.ok() == load.arrivals() && measured.percentile(95) <= LIMIT_MILLIS;
    }
}
