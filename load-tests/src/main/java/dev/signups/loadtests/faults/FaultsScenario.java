package dev.signups.loadtests.faults;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.delivery.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** kill -9 of each process in turn and an outage of the provider, all under load; then everything is counted. */
public final class FaultsScenario implements Scenario {

    /** The consumer first: its leases run out while the others are killed. */
    private static final List<String> KILLED =
            List.of("email-consumer", "outbox-relay", "signup-service", "kafka", "postgres");

    @Override
    public String name() {
        return "faults";
    }

    @Override
    public String description() {
        return "kill -9 of each process in turn and an outage of the provider, under load; then everything is counted";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("rate", "100", "rounds", "2", "outage", "30s");
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        boolean quick = parameters.quick();
        int rounds = quick ? 1 : parameters.number("rounds");
        Duration outage = quick ? Duration.ofSeconds(4) : parameters.time("outage");
        Duration between = Duration.ofSeconds(quick ? 1 : 8);
        int rate = quick ? Math.min(50, parameters.number("rate")) : parameters.number("rate");
        Map<String, String> settings = quick ? Map.of("DELIVERY_LEASE", "5s") : Map.of();

        workspace.say("starting the pipeline");
        try (Pipeline pipeline = Pipeline.start(workspace, settings)) {
            Provider provider = new Provider(pipeline.url("fake-email"));
            provider.pace(quick ? 200 : 2000, quick ? 400 : 4000, 0.2);
            Traffic traffic = Traffic.start(pipeline.url("signup-service"), rate);
            int kills = 0;
            double recovery = 0;
            for (int round = 0; round < rounds; round++) {
                for (String process : KILLED) {
                    Thread.sleep(between);
                    long begin = System.nanoTime();
                    pipeline.kill(process);
                    kills++;
                    pipeline.start(process, Map.of());
                    double seconds = awaitFlow(traffic, provider, begin);
                    workspace.say("kill -9 of %s: a new signup's e-mail was accepted %.1f s after it"
                            .formatted(process, seconds));
                    recovery = Math.max(recovery, seconds);
                }
            }
            workspace.say("outage of the provider for " + outage.toSeconds() + " s");
            provider.outage(true);
            Thread.sleep(outage);
            long begin = System.nanoTime();
            provider.outage(false);
            double seconds = awaitFlow(traffic, provider, begin);
            workspace.say("after the outage: %.1f s".formatted(seconds));
            recovery = Math.max(recovery, seconds);

            Set<String> answered = traffic.stop();
            workspace.say(answered.size() + " signups were answered 201; waiting until all is drained");
            Count count = Count.of(pipeline, provider, answered, Duration.ofSeconds(quick ? 60 : 240));
            workspace.say(count.summary());
            return new Outcome()
                    .atMost("users lost", (double) count.lostUsers(), 0, "")
                    .atMost("events lost", (double) count.lostEvents(), 0, "")
                    .atMost("e-mails lost", (double) count.lostEmails(), 0, "")
                    .atMost("events twice", (double) count.duplicateEvents(), 0, "")
                    .atMost("e-mails twice", (double) count.duplicateEmails(), 0, "")
                    .figure("signups", answered.size())
                    .figure("kills", kills)
                    .figure("lost_users", count.lostUsers())
                    .figure("lost_events", count.lostEvents())
                    .figure("lost_emails", count.lostEmails())
                    .figure("duplicate_events", count.duplicateEvents())
                    .figure("duplicate_emails", count.duplicateEmails())
                    .figure("recovery_s", recovery);
        }
    }

    /** Seconds until a signup made after the fault has its e-mail accepted. */
    private static double awaitFlow(Traffic traffic, Provider provider, long begin) throws Exception {
        long limit = begin + Duration.ofMinutes(3).toNanos();
        String address = traffic.nextAnswered();
        while (!provider.hasAccepted(address)) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException("no e-mail was accepted within three minutes of the fault");
            }
            Thread.sleep(100);
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
