package dev.signups.loadtests.relay;

import static dev.signups.loadtests.Outcome.rounded;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Parameters;
import dev.signups.loadtests.Scenario;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.relay.peer.Debezium;
import dev.signups.loadtests.relay.peer.Floor;
import dev.signups.loadtests.relay.peer.PollingPublisher;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The relay beside what a team would otherwise use, on one PostgreSQL, one Kafka, one backlog and one machine.
 *
 * <p>The backlog is twice {@code rows}, each row a transaction of its own, and each contender has a slot that keeps all
 * of it. The first half, in a JVM just started, is the cold figure; the second half, in the same JVM, the warm one.
 */
public final class RelayScenario implements Scenario {

    private static final int LATENCY_RATE = 200;

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public String description() {
        return "drain, latency, idle cost and exactly-once of the relay, beside Debezium, a poller and the floor";
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("rows", "300000", "kills", "20");
    }

    @Override
    public Outcome run(Parameters parameters, Workspace workspace) throws Exception {
        boolean quick = parameters.quick();
        try (Stand stand = Stand.start(workspace)) {
            Run run = new Run(
                    workspace,
                    stand,
                    workspace.folder("contenders"),
                    quick ? parameters.number("rows") / 12 : parameters.number("rows"),
                    quick ? Math.ceilDiv(parameters.number("kills"), 20) : parameters.number("kills"),
                    quick);
            return run.measure();
        }
    }

    /** What a drain of the backlog costs. */
    private record Drain(double cold, double warm, double cpuMicros) {}

    private static final class Run {

        private final Workspace workspace;
        private final Stand stand;
        private final Path folder;
        private final int rows;
        private final int kills;
        private final boolean quick;
        private final AtomicInteger next = new AtomicInteger();
        private final Load load;

        Run(Workspace workspace, Stand stand, Path folder, int rows, int kills, boolean quick) {
            this.workspace = workspace;
            this.stand = stand;
            this.folder = folder;
            this.rows = rows;
            this.kills = kills;
            this.quick = quick;
            this.load = new Load(stand, "outbox", next);
        }

        Outcome measure() throws Exception {
            Topic topic = Topic.create(stand, "relay.user");
            // the relay trusts only a slot that it has made itself, and makes it at its first start
            try (Contender relay = Contender.relay(workspace, stand, folder)) {
                relay.awaitReady();
            }
            for (String slot : List.of("floor", "tuned", "shipped")) {
                stand.createSlot(slot);
            }
            stand.fill(0, 2 * rows);
            next.set(2 * rows);
            workspace.say("backlog of " + 2 * rows + " single-row transactions written");

            Drain floor = drainOfPeer("floor", Floor.class);
            Drain tuned = drainOfPeer("tuned", Debezium.class, "form=tuned");
            double shipped = rateOfShipped();
            Drain drain;
            Load.Latency slow;
            double idle;
            double resident;
            try (Contender relay = Contender.relay(workspace, stand, folder)) {
                drain = drain("relay", relay, topic);
                relay.awaitReady();
                slow = latency("relay", topic, LATENCY_RATE, 1, relay);
                latency("relay", topic, 2000, 1, relay);
                // so many commits a second as a client manages here, each of as many rows as that takes
                int half = (int) (drain.cold() / 2);
                latency("relay", topic, half, Math.max(1, half / 1000), relay);
                idle = idle(relay);
                resident = relay.residentMb();
                workspace.say("relay: resident " + rounded(resident) + " MiB, at most "
                        + rounded(relay.peakResidentMb()) + " MiB");
            }
            Load.Latency shippedLatency = latencyOfShipped();
            Load.Latency poller = latencyOfPoller(500);
            Load.Latency quickPoller = latencyOfPoller(20);
            killRounds();

            BitSet table = stand.numbers();
            Topic.Content content = topic.read(table.cardinality(), Duration.ofSeconds(quick ? 10 : 60));
            int lost = content.lost(table);
            int duplicates = content.duplicates() + content.unknown(table);
            workspace.say("relay: " + table.cardinality() + " rows in the table, lost " + lost + ", duplicates "
                    + duplicates + ", reordered " + content.reordered());

            double vsPoller = Math.min(poller.p50() / slow.p50(), poller.p99() / slow.p99());
            double vsQuickPoller = Math.min(quickPoller.p50() / slow.p50(), quickPoller.p99() / slow.p99());
            return new Outcome()
                    .figure("drain_eps", Math.round(drain.cold()))
                    .figure("floor_eps", Math.round(floor.cold()))
                    .figure("drain_vs_floor", drain.cold() / floor.cold())
                    .figure("drain_vs_stock", drain.cold() / shipped)
                    .figure("drain_vs_tuned", drain.cold() / tuned.cold())
                    .figure("p50_ms", slow.p50())
                    .figure("p99_ms", slow.p99())
                    .figure("stock_p99_ms", shippedLatency.p99())
                    .figure("poller_p99_ms", poller.p99())
                    .figure("idle_cpu_pct", idle)
                    .figure("rss_mb", Math.round(resident))
                    .figure("lost", lost)
                    .figure("duplicates", duplicates)
                    .figure("reordered", content.reordered())
                    .atLeast("drain, transactional, cold, against the floor", drain.cold() / floor.cold(), 0.5, "")
                    .atLeast("the same, the goal", drain.cold() / floor.cold(), 0.7, "")
                    .atLeast("drain against Debezium as shipped", drain.cold() / shipped, 250, "×")
                    .atLeast(
                            "drain against Debezium tuned with EventRouter, not transactional",
                            drain.cold() / tuned.cold(),
                            1.2,
                            "×")
                    .atMost("commit→acknowledged p50 at 200/s, warm", slow.p50(), 1.5, " ms")
                    .atMost("commit→acknowledged p99 at 200/s, warm", slow.p99(), 6, " ms")
                    .atLeast("the same against a 500 ms poller (lesser of p50 and p99)", vsPoller, 50, "×")
                    .atLeast("the same against a 20 ms poller (lesser of p50 and p99)", vsQuickPoller, 2, "×")
                    .atMost("idle CPU, in the same configuration", idle, 2, " %")
                    .atMost(
                            "lost, duplicate, reordered over " + kills + " kill -9 under load",
                            lost + duplicates + content.reordered(),
                            0,
                            "");
        }

        private Drain drainOfPeer(String name, Class<?> main, String... more) throws Exception {
            Topic topic = Topic.create(stand, name + ".user");
            Drain drain;
            try (Contender peer = Contender.peer(main, name, stand, folder, more)) {
                drain = drain(name, peer, topic);
            }
            forget(name);
            return drain;
        }

        private Drain drain(String name, Contender contender, Topic topic) throws InterruptedException {
            topic.awaitOffsets(2L * rows, contender, Duration.ofMinutes(3));
            double cpu = contender.cpuSeconds();
            Topic.Content content = topic.read(2 * rows, Duration.ofMinutes(1));
            Drain drain = new Drain(content.rate(0, rows), content.rate(rows, 2 * rows), cpu * 1e6 / 2 / rows);
            workspace.say(name + ": " + Math.round(drain.cold()) + " events/s cold, " + Math.round(drain.warm())
                    + " warm, " + rounded(drain.cpuMicros()) + " µs of processor an event, the JVM's start included");
            return drain;
        }

        /** Two hundred a second or so: the first rows of the same backlog tell the rate. */
        private double rateOfShipped() throws Exception {
            Topic topic = Topic.create(stand, "shipped.user");
            int sample = Math.min(2 * rows, quick ? 400 : 2000);
            double rate;
            try (Contender peer = Contender.peer(Debezium.class, "shipped", stand, folder, "form=shipped")) {
                topic.awaitOffsets(sample, peer, Duration.ofMinutes(2));
                rate = topic.read(sample, Duration.ofSeconds(20)).rate(0, sample);
            }
            forget("shipped");
            workspace.say("Debezium as shipped: " + rounded(rate) + " events/s over the first " + sample
                    + " rows of the backlog");
            return rate;
        }

        private Load.Latency latencyOfShipped() throws Exception {
            stand.createSlot("shipped2");
            Topic topic = Topic.create(stand, "shipped2.user");
            try (Contender peer = Contender.peer(Debezium.class, "shipped2", stand, folder, "form=shipped")) {
                awaitStreaming("shipped2", peer);
                return latency("Debezium as shipped", topic, LATENCY_RATE, 1, peer);
            } finally {
                forget("shipped2");
            }
        }

        private Load.Latency latencyOfPoller(int interval) throws Exception {
            String name = "poller" + interval;
            Topic topic = Topic.create(stand, name + ".user");
            try (Contender peer = Contender.peer(PollingPublisher.class, name, stand, folder, "interval=" + interval)) {
                return latency(
                        interval + " ms poller",
                        topic,
                        LATENCY_RATE,
                        1,
                        peer,
                        new Load(stand, "polled_outbox", new AtomicInteger()));
            }
        }

        private Load.Latency latency(String name, Topic topic, int rate, int rowsPerCommit, Contender contender)
                throws InterruptedException, ExecutionException {
            return latency(name, topic, rate, rowsPerCommit, contender, load);
        }

        private Load.Latency latency(
                String name, Topic topic, int rate, int rowsPerCommit, Contender contender, Load from)
                throws InterruptedException, ExecutionException {
            double cpu = contender.cpuSeconds();
            int before = next.get();
            Load.Latency latency = from.measure(
                    topic, rate, rowsPerCommit, Duration.ofSeconds(quick ? 1 : 3), Duration.ofSeconds(quick ? 2 : 10));
            contender.checkAlive();
            int written = next.get() - before;
            workspace.say(name + " at " + rate + "/s (" + rounded(latency.rate()) + " written, " + rowsPerCommit
                    + " a commit): p50 " + rounded(latency.p50()) + " ms, p99 " + rounded(latency.p99()) + " ms"
                    + (latency.missing() > 0 ? ", " + latency.missing() + " not arrived" : "")
                    + (written > 0
                            ? ", " + rounded((contender.cpuSeconds() - cpu) * 1e6 / written) + " µs an event"
                            : ""));
            return latency;
        }

        private double idle(Contender relay) throws InterruptedException {
            Thread.sleep(1000);
            double before = relay.cpuSeconds();
            long begin = System.nanoTime();
            Thread.sleep(quick ? 4000 : 15_000);
            double percent = (relay.cpuSeconds() - before) * 100 / ((System.nanoTime() - begin) / 1e9);
            workspace.say("relay: idle " + rounded(percent) + " % of a core");
            return percent;
        }

        /** Writers that go on, and a relay that is killed at a random moment, a quarter of the times while it starts. */
        private void killRounds() throws Exception {
            AtomicBoolean stop = new AtomicBoolean();
            Random random = new Random(42);
            int before = next.get();
            try (ExecutorService executor = Executors.newCachedThreadPool()) {
                List<Future<Void>> writers = new ArrayList<>();
                for (int w = 0; w < 3; w++) {
                    writers.add(executor.submit(load.writeUntil(stop, w)));
                }
                try {
                    for (int kill = 0; kill < kills; kill++) {
                        try (Contender relay = Contender.relay(workspace, stand, folder)) {
                            if (kill % 4 != 3) {
                                awaitStreaming("relay", relay);
                            }
                            Thread.sleep(random.nextInt(1500));
                            relay.kill();
                        }
                        if (kill % 5 == 4) {
                            workspace.say("relay: killed " + (kill + 1) + " times under load");
                        }
                    }
                } finally {
                    stop.set(true);
                }
                for (Future<Void> writer : writers) {
                    writer.get();
                }
            }
            workspace.say("relay: killed " + kills + " times while " + (next.get() - before) + " rows were written");
            try (Contender relay = Contender.relay(workspace, stand, folder)) {
                relay.awaitReady();
            }
        }

        private void awaitStreaming(String slot, Contender contender) throws SQLException, InterruptedException {
            while (!stand.isActive(slot)) {
                contender.checkAlive();
                Thread.sleep(20);
            }
        }

        private void forget(String slot) throws SQLException, InterruptedException {
            while (stand.isActive(slot)) {
                Thread.sleep(20);
            }
            stand.dropSlot(slot);
        }
    }
}
