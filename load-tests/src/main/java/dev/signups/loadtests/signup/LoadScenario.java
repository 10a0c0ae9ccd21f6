package dev.signups.loadtests.signup;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Load alone, on a demo that somebody started: what {@code signup.js} does, for where there is no k6. */
public final class LoadScenario implements Scenario {

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String description() {
        return "signups at a constant rate on a demo that runs already, at any stage; no targets";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("url", "http://127.0.0.1:8080", "rate", "20", "duration", "60s");
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        String url = parameters.loopback("url");
        int rate = parameters.number("rate");
        Duration duration = parameters.quick() ? Duration.ofSeconds(6) : parameters.time("duration");
        String unique = "load-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-";
        try (SignupClient signups = new SignupClient(url, unique)) {
            try {
                signups.send(-1);
            } catch (IOException e) {
                throw new IllegalStateException("nothing answers at " + url + ": start it with infra/demo", e);
            }
            workspace.say(rate + " signups a second for " + duration.toSeconds() + " s");
            Measurement measured = OpenLoad.run(Load.of(rate, duration), signups);
            workspace.say(measured.summary());
            return new Outcome()
                    .figure("rate", rate)
                    .figure("requests", measured.requests())
                    .figure("ok", measured.ok())
                    .figure("error_pct", measured.errorPercent())
                    .figure("answers_per_s", measured.answersPerSecond(Duration.ZERO))
                    .figure("p50_ms", measured.percentile(50))
                    .figure("p95_ms", measured.percentile(95))
                    .figure("p99_ms", measured.percentile(99))
                    .figure("max_vus", measured.maxUsers())
                    .figure("dropped", measured.dropped())
                    .figure("interrupted", measured.interrupted());
        }
    }
}
