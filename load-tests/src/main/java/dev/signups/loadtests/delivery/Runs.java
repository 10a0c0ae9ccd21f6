package dev.signups.loadtests.delivery;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.signup.Load;
import dev.signups.loadtests.signup.Measurement;
import dev.signups.loadtests.signup.OpenLoad;
import dev.signups.loadtests.signup.SignupClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The single measurements, each on a provider that has forgotten the ones before. */
final class Runs {

    private static final String CONSUMER = "email-consumer";
    private static final String TOPIC = "outbox.event.user";
    private static final double MEAN_SECONDS = 3;
    private static final double FAILURE_RATE = 0.2;
    private static final int RAMP_SECONDS = 8;
    private static final int KILL_AFTER = 20;
    private static final int COMPARED_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Ten attempts with the whole of their pauses take 9 minutes, and one e-mail in two million needs nine. */
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

    private static final long MICROS = 1_000_000;

    private final Pipeline pipeline;
    private final Workspace workspace;
    private final Provider provider;
    private final int rate;
    private long duplicates;
    private long lost;

    Runs(Pipeline pipeline, Workspace workspace, int rate) {
        this.pipeline = pipeline;
        this.workspace = workspace;
        this.provider = new Provider(pipeline.url("fake-email"));
        this.rate = rate;
    }

    /** Real signups, their e-mails, and the time from commit to first request. */
    record Steady(Deliveries deliveries, double firstRequestMillis) {}

    /** Accepted per second with every permit in use. */
    record Ceiling(int permits, double measured, double formula, double residentMegabytes) {

        double share() {
            return measured / formula;
        }
    }

    /** A system under the same load and the same kill -9; the pace is taken before it. */
    record Compared(Deliveries deliveries, double perSecond) {}

    long duplicates() {
        return duplicates;
    }

    long lost() {
        return lost;
    }

    void warmUp(int seconds) throws Exception {
        provider.pace(20, 40, 0);
        signUp("warm", Duration.ofSeconds(seconds));
        require(provider.awaitAccepted(committed("warm").size(), LIMIT), "the first e-mails were not accepted");
        provider.clear();
    }

    Steady steady(Duration duration, int fromMillis, int toMillis) throws Exception {
        workspace.say("%d signups/s for %d s, provider %d to %d ms, %.0f %% failures"
                .formatted(rate, duration.toSeconds(), fromMillis, toMillis, FAILURE_RATE * 100));
        provider.pace(fromMillis, toMillis, FAILURE_RATE);
        signUp("steady", duration);
        Deliveries deliveries = drained("steady");
        count(deliveries);
        deliveries.writeDepths(workspace.report().resolve("delivery-depth.csv"));
        // queueing by C cannot be in it: the rate needs fewer permits than there are
        double millis = deliveries.firstRequestMillis(99, 0, Long.MAX_VALUE);
        workspace.say("%d signups, %d accepted, commit to first request p50 %.1f ms, p99 %.1f ms, last after %.1f s"
                .formatted(
                        deliveries.events(),
                        deliveries.acceptedUnique(),
                        deliveries.firstRequestMillis(50, 0, Long.MAX_VALUE),
                        millis,
                        deliveries.secondsAfterLast(1)));
        provider.clear();
        return new Steady(deliveries, millis);
    }

    /** The same load on the real pipeline, with a kill -9 of the consumer in it. */
    Compared killed() throws Exception {
        workspace.say("the same with a kill -9 of the consumer");
        provider.pace(2000, 4000, FAILURE_RATE);
        CompletableFuture<Long> kill = killAfter(() -> {
            pipeline.kill(CONSUMER);
            pipeline.start(CONSUMER, Map.of());
        });
        signUp("killed", Duration.ofSeconds(COMPARED_SECONDS));
        long killed = kill.get();
        Deliveries deliveries = drained("killed");
        count(deliveries);
        provider.clear();
        return compared("this pipeline", deliveries, killed);
    }

    Compared peer(Peer.Kind kind) throws Exception {
        workspace.say("peer " + kind.label);
        provider.pace(2000, 4000, FAILURE_RATE);
        try (Peer peer = new Peer(kind, pipeline, workspace)) {
            CompletableFuture<Long> kill = killAfter(peer::killAndRestart);
            OpenLoad.run(Load.of(rate, Duration.ofSeconds(COMPARED_SECONDS)), peer::signUp);
            long killed = kill.get();
            if (!provider.awaitAccepted(peer.created().size(), kind.patience)) {
                // its own pace would take hours: what it does with the rest shows at a provider that is quick
                provider.pace(5, 10, 0);
                boolean _ = provider.awaitAccepted(peer.created().size(), Duration.ofSeconds(25));
            }
            Deliveries deliveries = new Deliveries(peer.created(), provider.sends());
            return compared(kind.label, deliveries, killed);
        } finally {
            provider.clear();
        }
    }

    Ceiling ceiling(int permits, int seconds, boolean restart) throws Exception {
        double formula = permits * (1 - FAILURE_RATE) / MEAN_SECONDS;
        workspace.say("ceiling at C = " + permits);
        if (restart) {
            // it leaves its group at once, where after a kill -9 the others would wait for it
            pipeline.stop(CONSUMER);
            emptyLedger();
            pipeline.start(CONSUMER, Map.of("DELIVERY_PERMITS", Integer.toString(permits)));
        }
        provider.pace(2000, 4000, FAILURE_RATE);
        int events = (int) (formula * (RAMP_SECONDS + seconds)) + 2 * permits;
        try (EventProducer producer = new EventProducer(pipeline.bootstrapServers(), TOPIC)) {
            producer.sendAll("ceiling-" + permits + "-", events);
            awaitFirstRequest();
            Thread.sleep(Duration.ofSeconds(RAMP_SECONDS + seconds));
            double resident = residentMegabytes();
            long to = now();
            // the rest need not take its time
            provider.pace(20, 50, 0);
            boolean _ = provider.awaitAccepted(events, LIMIT);
            Deliveries deliveries = new Deliveries(producer.created(), provider.sends());
            count(deliveries);
            double measured = deliveries.acceptedPerSecond(to - seconds * MICROS, to);
            workspace.say("C = %d: %.1f/s, formula %.1f/s, peak resident %.0f MB, %d of %d accepted"
                    .formatted(permits, measured, formula, resident, deliveries.acceptedUnique(), deliveries.events()));
            return new Ceiling(permits, measured, formula, resident);
        } finally {
            provider.clear();
        }
    }

    /** E-mails a second with a provider that takes 50 ms and does not fail. */
    double fast(int events) throws Exception {
        provider.pace(50, 50, 0);
        try (EventProducer producer = new EventProducer(pipeline.bootstrapServers(), TOPIC)) {
            producer.sendAll("fast-", events);
            boolean _ = provider.awaitAccepted(events, LIMIT);
            Deliveries deliveries = new Deliveries(producer.created(), provider.sends());
            count(deliveries);
            double seconds = (deliveries.acceptedBy(1) - deliveries.firstRequest()) / MICROS;
            double perSecond = deliveries.acceptedUnique() / seconds;
            workspace.say("50 ms provider: %d e-mails in %.1f s".formatted(deliveries.acceptedUnique(), seconds));
            return perSecond;
        } finally {
            provider.clear();
        }
    }

    private void awaitFirstRequest() throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (provider.count("requests") == 0) {
            require(System.nanoTime() < deadline, "the consumer sends nothing");
            Thread.sleep(50);
        }
    }

    private void count(Deliveries deliveries) {
        duplicates += deliveries.duplicates();
        lost += deliveries.missing();
    }

    private Compared compared(String name, Deliveries deliveries, long killed) {
        double perSecond = deliveries.acceptedPerSecond(deliveries.firstCreated() + 6 * MICROS, killed);
        double drain = deliveries.secondsAfterLast(1);
        workspace.say("%s: %s accepted/s, drained %s s after the last signup, duplicates %d, missing %d of %d, lag %d"
                .formatted(
                        name,
                        Outcome.rounded(perSecond),
                        Outcome.rounded(drain),
                        deliveries.duplicates(),
                        deliveries.missing(),
                        deliveries.events(),
                        deliveries.maxLag()));
        return new Compared(deliveries, perSecond);
    }

    /** Something that may fail. */
    private interface Action {
        void run() throws Exception;
    }

    /** Does it in the middle of the load that follows; gives the time in microseconds. */
    private CompletableFuture<Long> killAfter(Action action) {
        Executor later = CompletableFuture.delayedExecutor(KILL_AFTER, TimeUnit.SECONDS);
        return CompletableFuture.supplyAsync(
                () -> {
                    long at = now();
                    try {
                        action.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return at;
                },
                later);
    }

    private void signUp(String prefix, Duration duration) throws InterruptedException {
        try (SignupClient client = new SignupClient(pipeline.url("signup-service"), prefix + "-")) {
            Measurement measured = OpenLoad.run(Load.of(rate, duration), client);
            workspace.say("signups: " + measured.summary());
        }
    }

    /** Of all that is committed, answered or not. */
    private Deliveries drained(String prefix) throws Exception {
        Map<String, Long> committed = committed(prefix);
        boolean _ = provider.awaitAccepted(committed.size(), LONGEST_BACKOFF);
        return new Deliveries(committed, provider.sends());
    }

    private Map<String, Long> committed(String prefix) throws SQLException {
        Map<String, Long> committed = new HashMap<>();
        try (Connection connection = pipeline.connect("signup");
                PreparedStatement query = connection.prepareStatement("""
                        select payload->>'email', (extract(epoch from created_at) * 1000000)::bigint
                        from outbox where payload->>'email' like ?""")) {
            query.setString(1, prefix + "-%");
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    committed.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getLong(2));
                }
            }
        }
        return committed;
    }

    private void emptyLedger() throws SQLException {
        try (Connection connection = pipeline.connect("email");
                Statement statement = connection.createStatement()) {
            statement.execute("truncate email_delivery");
        }
    }

    private double residentMegabytes() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/" + pipeline.pid(CONSUMER) + "/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        return Double.NaN;
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
