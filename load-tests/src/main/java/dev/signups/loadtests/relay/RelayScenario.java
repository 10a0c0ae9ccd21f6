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
                    quick ? parameters.number("rows") / 15 : parameters.number("rows"),
                    quick ? Math.ceilDiv(parameters.number("kills"), 20) : parameters.number("kills"),
                    quick);
            return run.measure();
        }
    }

    /** Debezium as shipped. */
    private record Shipped(LatencyProbe.Latency latency, double rate) {}

    /** From a row's commit to Kafka's, by the relay's own histogram, and to a reader; milliseconds. */
    private record Latency(double p50, double p99, LatencyProbe.Latency atReader) {}

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
        private final LatencyProbe load;
        private int backlog;

        Run(Workspace workspace, Stand stand, Path folder, int rows, int kills, boolean quick) {
            this.workspace = workspace;
            this.stand = stand;
            this.folder = folder;
            this.rows = rows;
            this.kills = kills;
            this.quick = quick;
            this.load = new LatencyProbe(stand, "outbox", next);
        }

        Outcome measure() throws Exception {
            Topic topic = Topic.create(stand, "relay.user");
            for (String slot : List.of("floor", "tuned", "shipped")) {
                stand.createSlot(slot);
            }
            Shipped shipped = shipped();

            Drain floor = drainOfPeer("floor", Floor.class);
            Drain tuned = drainOfPeer("tuned", Debezium.class, "form=tuned");
            LatencyProbe.Latency bare = BareTransactions.measure(stand, LATENCY_RATE, warmUp(), time());
            workspace.say("bare Kafka transactions at " + LATENCY_RATE + "/s: p50 " + rounded(bare.p50()) + " ms, p99 "
                    + rounded(bare.p99()) + " ms");
            Drain drain;
            Latency slow;
            double resident;
            double idle;
            try (Contender relay = Contender.relay(workspace, stand, folder)) {
                drain = drain("relay", relay, topic);
                relay.awaitReady();
                slow = latencyOfRelay(relay, topic, LATENCY_RATE, 1);
                if (!quick) {
                    latencyOfRelay(relay, topic, 2000, 1);
                    // so many commits a second as a client manages here, each of as many rows as that takes
                    int half = (int) (drain.cold() / 2);
                    latencyOfRelay(relay, topic, half, Math.max(1, half / 1000));
                }
                idle = idle(relay);
                resident = relay.residentMb();
                workspace.say("relay: resident " + rounded(resident) + " MiB, at most "
                        + rounded(relay.peakResidentMb()) + " MiB");
                killRounds(relay);
            }
            LatencyProbe.Latency poller = latencyOfPoller(500);
            LatencyProbe.Latency quickPoller = latencyOfPoller(20);

            BitSet table = stand.numbers();
            Topic.Content content;
            try (Contender _ = Contender.relay(workspace, stand, folder)) {
                content = topic.read(table.cardinality(), Duration.ofMinutes(1));
            }
            int lost = content.lost(table);
            int duplicates = content.duplicates() + content.unknown(table);
            workspace.say("relay: " + table.cardinality() + " rows in the table, lost " + lost + ", duplicates "
                    + duplicates + ", reordered " + content.reordered());

            double vsPoller = slow.atReader().timesBetterThan(poller);
            double vsQuickPoller = slow.atReader().timesBetterThan(quickPoller);
            return new Outcome()
                    .figure("drain_eps", Math.round(drain.cold()))
                    .figure("floor_eps", Math.round(floor.cold()))
                    .figure("drain_vs_floor", drain.cold() / floor.cold())
                    .figure("drain_vs_stock", drain.cold() / shipped.rate())
                    .figure("drain_vs_tuned", drain.cold() / tuned.cold())
                    .figure("p50_ms", slow.p50())
                    .figure("p99_ms", slow.p99())
                    .figure("bare_p50_ms", bare.p50())
                    .figure("bare_p99_ms", bare.p99())
                    .figure("stock_p99_ms", shipped.latency().p99())
                    .figure("poller_p99_ms", poller.p99())
                    .figure("idle_cpu_pct", idle)
                    .figure("rss_mb", Math.round(resident))
                    .figure("lost", lost)
                    .figure("duplicates", duplicates)
                    .figure("reordered", content.reordered())
                    .atLeast("drain, transactional, cold, against the floor", drain.cold() / floor.cold(), 0.5, "")
                    .atLeast("the same, the goal", drain.cold() / floor.cold(), 0.7, "")
                    .atLeast("drain against Debezium as shipped", drain.cold() / shipped.rate(), 250, "×")
                    .atLeast(
                            "drain against Debezium tuned with EventRouter, not transactional",
                            drain.cold() / tuned.cold(),
                            1.2,
                            "×")
                    .atMost("commit→acknowledged p50 at 200/s, warm", slow.p50(), 1.5, " ms")
                    .atMost("commit→acknowledged p99 at 200/s, warm", slow.p99(), 6, " ms")
                    .atLeast("commit→reader against a 500 ms poller (lesser of p50 and p99)", vsPoller, 50, "×")
                    .atLeast("commit→reader against a 20 ms poller (lesser of p50 and p99)", vsQuickPoller, 2, "×")
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
            int end = backlog + 2 * rows;
            topic.awaitOffsets(end, contender, Duration.ofMinutes(3));
            double cpu = contender.cpuSeconds();
            Topic.Content content = topic.read(end, Duration.ofMinutes(1));
            Drain drain = new Drain(
                    content.rate(backlog, backlog + rows), content.rate(backlog + rows, end), cpu * 1e6 / end);
            workspace.say(name + ": " + Math.round(drain.cold()) + " events/s cold, " + Math.round(drain.warm())
                    + " warm, " + rounded(drain.cpuMicros()) + " µs of processor an event, the JVM's start included");
            return drain;
        }

        /**
         * Debezium as shipped: its latency while there is no backlog, then the backlog of all is written, then its rate:
         * a hundred a second or so, and the next rows tell it; the rest would take half an hour. Meanwhile the relay
         * makes the slot that it will have the backlog in, since it trusts no other.
         */
        private Shipped shipped() throws Exception {
            Topic topic = Topic.create(stand, "shipped.user");
            LatencyProbe.Latency latency;
            double rate;
            try (Contender peer = Contender.peer(Debezium.class, "shipped", stand, folder, "form=shipped")) {
                try (Contender relay = Contender.relay(workspace, stand, folder)) {
                    relay.awaitReady();
                }
                awaitStreaming("shipped", peer);
                latency = latency("Debezium as shipped", topic, peer, load);
                backlog = next.getAndAdd(2 * rows);
                stand.fill(backlog, backlog + 2 * rows);
                workspace.say("backlog of " + 2 * rows + " single-row transactions written");
                int from = Math.toIntExact(topic.offsets());
                int sample = quick ? 200 : 2000;
                topic.awaitOffsets(from + sample, peer, Duration.ofMinutes(2));
                rate = topic.read(from + sample, Duration.ofSeconds(20)).rate(from, from + sample);
                workspace.say(
                        "Debezium as shipped: " + rounded(rate) + " events/s over " + sample + " rows of the backlog");
            }
            forget("shipped");
            return new Shipped(latency, rate);
        }

        private LatencyProbe.Latency latencyOfPoller(int interval) throws Exception {
            String name = "poller" + interval;
            Topic topic = Topic.create(stand, name + ".user");
            try (Contender peer = Contender.peer(PollingPublisher.class, name, stand, folder, "interval=" + interval)) {
                return latency(
                        interval + " ms poller",
                        topic,
                        peer,
                        new LatencyProbe(stand, "polled_outbox", new AtomicInteger()));
            }
        }

        private LatencyProbe.Latency latency(String name, Topic topic, Contender contender, LatencyProbe from)
                throws InterruptedException, ExecutionException {
            from.measure(topic, LATENCY_RATE, 1, warmUp());
            LatencyProbe.Latency latency = from.measure(topic, LATENCY_RATE, 1, time());
            contender.checkAlive();
            say(name, LATENCY_RATE, 1, latency, "");
            return latency;
        }

        /** By the relay's own count and, as for the others, at a reader. */
        private Latency latencyOfRelay(Contender relay, Topic topic, int rate, int rowsPerCommit)
                throws InterruptedException, ExecutionException {
            load.measure(topic, rate, rowsPerCommit, warmUp());
            double cpu = relay.cpuSeconds();
            int before = next.get();
            Histogram earlier = relay.commitToAcknowledged();
            LatencyProbe.Latency atReader = load.measure(topic, rate, rowsPerCommit, time());
            Histogram acknowledged = relay.commitToAcknowledged().since(earlier);
            Latency latency =
                    new Latency(acknowledged.quantileMillis(0.5), acknowledged.quantileMillis(0.99), atReader);
            say(
                    "relay",
                    rate,
                    rowsPerCommit,
                    atReader,
                    "; commit→acknowledged p50 " + rounded(latency.p50()) + " ms, p99 " + rounded(latency.p99())
                            + " ms; " + rounded((relay.cpuSeconds() - cpu) * 1e6 / (next.get() - before))
                            + " µs of processor an event");
            return latency;
        }

        private void say(String name, int rate, int rowsPerCommit, LatencyProbe.Latency latency, String more) {
            workspace.say(name + " at " + rate + "/s (" + rounded(latency.rate()) + " written, " + rowsPerCommit
                    + " a commit): commit→reader p50 " + rounded(latency.p50()) + " ms, p99 " + rounded(latency.p99())
                    + " ms" + (latency.missing() > 0 ? ", " + latency.missing() + " not arrived" : "") + more);
        }

        private double idle(Contender relay) throws InterruptedException {
            Thread.sleep(1000);
            double before = relay.cpuSeconds();
            long begin = System.nanoTime();
            Thread.sleep(quick ? 3000 : 15_000);
            double percent = (relay.cpuSeconds() - before) * 100 / ((System.nanoTime() - begin) / 1e9);
            workspace.say("relay: idle " + rounded(percent) + " % of a core");
            return percent;
        }

        /** Compilers have to be done: at this rate they take their time. */
        private Duration warmUp() {
            return Duration.ofSeconds(quick ? 2 : 30);
        }

        private Duration time() {
            return Duration.ofSeconds(quick ? 1 : 10);
        }

        /** Writers that go on, and a relay that is killed at a random moment, a quarter of the times while it starts. */
        private void killRounds(Contender running) throws Exception {
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
                        try (Contender relay = kill == 0 ? running : Contender.relay(workspace, stand, folder)) {
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
