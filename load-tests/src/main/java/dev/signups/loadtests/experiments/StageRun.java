package dev.signups.loadtests.experiments;

import dev.signups.loadtests.Json;
import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.delivery.Provider;
import dev.signups.loadtests.experiments.StageResult.Outage;
import dev.signups.loadtests.experiments.StageResult.Point;
import dev.signups.loadtests.experiments.StageResult.Poison;
import dev.signups.loadtests.signup.Load;
import dev.signups.loadtests.signup.Measurement;
import dev.signups.loadtests.signup.OpenLoad;
import dev.signups.loadtests.signup.SignupClient;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The experiments at one stage, against a demo of that stage. */
final class StageRun implements AutoCloseable {

    private static final double SLOW = 20;
    private static final double BUSY = 150;
    private static final double WARM = 60;
    /** The longest that the provider takes. */
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(4);

    private static final int CONFLICT = 409;
    private static final int POISON = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private interface Depth {
        long now() throws IOException, InterruptedException, SQLException;
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException, SQLException;
    }

    private final int stage;
    private final Extent extent;
    private final Workspace workspace;
    private final Pipeline pipeline;
    private final Http http = new Http();
    private final Provider provider;

    private StageRun(int stage, Extent extent, Workspace workspace, Pipeline pipeline) {
        this.stage = stage;
        this.extent = extent;
        this.workspace = workspace;
        this.pipeline = pipeline;
        this.provider = new Provider(pipeline.url("fake-email"));
    }

    static StageRun start(int stage, Extent extent, Workspace workspace) throws InterruptedException {
        workspace.say("stage " + stage + ": starting");
        return new StageRun(
                stage,
                extent,
                workspace,
                Pipeline.start(
                        workspace,
                        Map.of("DELIVERY_LEASE", extent.lease().toSeconds() + "s"),
                        "--stage",
                        Integer.toString(stage)));
    }

    StageResult run() throws IOException, InterruptedException, SQLException {
        return switch (stage) {
            case 1 -> inTheRequest();
            case 2 -> inATable();
            default -> inTheOutbox();
        };
    }

    private StageResult inTheRequest() throws IOException, InterruptedException, SQLException {
        warmUp();
        Outage outage = outage(new Load(SLOW, Duration.ofSeconds(1), 100, extent.grace()), () -> 0);
        Measurement slow = load("slow", Load.of(SLOW, extent.slow()));
        Measurement busy = load("busy", Load.of(BUSY, extent.busy()).withGrace(extent.grace()));
        Map<String, Measurement> bandAids = new LinkedHashMap<>();
        for (BandAid bandAid : BandAid.values()) {
            if (extent.allBandAids() || bandAid == BandAid.VIRTUAL_THREADS) {
                pipeline.kill("signup-service");
                pipeline.start("signup-service", bandAid.settings());
                bandAids.put(
                        bandAid.label(),
                        load(
                                "band-aid-" + bandAids.size(),
                                Load.of(BUSY, extent.bandAid()).withGrace(Duration.ofSeconds(8))));
            }
        }
        return new StageResult(
                1,
                slow,
                busy,
                List.of(),
                outage,
                busy.ok() == 0 ? 0 : busy.answersPerSecond(FIRST_ANSWERS) * busy.ok() / busy.answered(),
                null,
                null,
                "there is no worker",
                null,
                bandAids);
    }

    private StageResult inATable() throws IOException, InterruptedException, SQLException {
        Depth pending = () -> count("select count(*) from jobs where status = 'PENDING'");
        warmUp();
        Outage outage = outage(Load.of(BUSY, extent.outage()), pending);
        long begin = System.nanoTime();
        long before = provider.count("accepted");
        Measurement slow = load("slow", Load.of(SLOW, extent.slowAgain()));
        List<Point> depth = Collections.synchronizedList(new ArrayList<>());
        Measurement busy = observed(depth, pending, Load.of(BUSY, extent.busy()));
        pause(extent.pace());
        double pace = (provider.count("accepted") - before) * 1e9 / (System.nanoTime() - begin);
        say("the worker has %.2f e-mails a second accepted".formatted(pace));

        long duplicates = killWorkerInMidSend();
        say(duplicates + " e-mails sent again after a kill -9 of the worker");
        // a stop would wait for the batch
        pipeline.kill("worker");
        execute("delete from jobs");
        Poison poison = poison(Duration.ofSeconds(6), () -> 0, () -> false, () -> pipeline.start("worker", Map.of()));
        pipeline.stop("worker");
        boolean silent = load("unnoticed", Load.of(10, Duration.ofSeconds(1))).failed() == 0
                && http.get(pipeline.url("signup-service") + "/actuator/health/readiness")
                                .statusCode()
                        == 200
                && !http.get(pipeline.url("signup-service") + "/actuator/prometheus")
                        .body()
                        .contains("jobs");
        return new StageResult(
                2,
                slow,
                busy,
                List.copyOf(depth),
                new Outage(
                        outage.requests(),
                        outage.failed(),
                        outage.halfDone(),
                        outage.retryStatus(),
                        outage.waiting(),
                        outage.waiting() / pace,
                        true),
                pace,
                duplicates,
                poison,
                silent
                        ? "nothing: every process that runs says it is well, and no metric knows of the jobs"
                        : "signup-service says so",
                null,
                Map.of());
    }

    private StageResult inTheOutbox() throws IOException, InterruptedException, SQLException {
        Depth waiting = () -> Json.number(
                http.get(pipeline.url("email-consumer") + "/api/queue").body(), "depth");
        warmUp();
        await("the e-mails of the warm-up", () -> waiting.now() == 0);
        Outage outage = outage(Load.of(BUSY, extent.outage()), waiting);
        long begin = System.nanoTime();
        // counted in the table: one that was answered 503 may be there, and the lag counts ends of transactions too
        long all = count("select count(*) from users where email like 'outage-%'");
        // the middle of the drain: neither its beginning, when nothing is back yet, nor the last retries
        long low = all / 10;
        long high = all * 8 / 10;
        await("the drain to begin", () -> provider.count("accepted") >= low);
        long fromCount = provider.count("accepted");
        long from = System.nanoTime();
        await("the drain to come to its end", () -> provider.count("accepted") >= high);
        double pace = (provider.count("accepted") - fromCount) * 1e9 / (System.nanoTime() - from);
        await("the drain to end", () -> provider.count("accepted") >= all && waiting.now() == 0);
        double drained = (System.nanoTime() - begin) / 1e9;
        say("drained in %.1f s, %.0f e-mails a second accepted".formatted(drained, pace));

        Measurement slow = load("slow", Load.of(SLOW, extent.slowAgain()));
        List<Point> depth = Collections.synchronizedList(new ArrayList<>());
        Measurement busy = observed(depth, waiting, Load.of(BUSY, extent.busy()));
        pipeline.kill("email-consumer");
        say("killed the e-mail consumer with -9 in mid-send");
        pipeline.start("email-consumer", Map.of());
        long sent = count("select count(*) from users where email not like 'warm-up-%'");
        await("all e-mails to be accepted", () -> provider.count("accepted") >= sent && waiting.now() == 0);
        long duplicates = provider.count("duplicates");
        say("all %d e-mails accepted, %d of them twice".formatted(sent, duplicates));

        Depth failed = () -> Json.number(
                http.get(pipeline.url("email-consumer") + "/api/queue").body(), "failed");
        Poison poison = poison(PATIENCE, failed, () -> failed.now() >= POISON && waiting.now() == 0, () -> {});
        Measurement alone = extent.alone().isZero() ? null : everythingBehindStopped();
        pipeline.stop("email-consumer");
        boolean gone;
        try {
            gone = http.get(pipeline.url("email-consumer") + "/actuator/prometheus")
                            .statusCode()
                    != 200;
        } catch (IOException e) {
            gone = true;
        }
        long halfDone = count(
                "select count(*) from users u full join outbox o on o.aggregateid = u.id::text where u.id is null or o.id is null");
        return new StageResult(
                3,
                slow,
                busy,
                List.copyOf(depth),
                new Outage(
                        outage.requests(),
                        outage.failed(),
                        outage.halfDone() + halfDone,
                        outage.retryStatus(),
                        outage.waiting(),
                        drained,
                        false),
                pace,
                duplicates,
                poison,
                gone
                        ? "its metrics cannot be scraped any more (up = 0, for which there is an alert), and Kafka's own tools show the group's lag"
                        : "nothing",
                alone,
                Map.of());
    }

    /** With a provider that is quick, until the outage that follows. */
    private void warmUp() throws IOException, InterruptedException {
        provider.pace(20, 50, 0);
        load("warm-up", Load.of(WARM, extent.warmUp()));
    }

    /** Experiment 2: the provider's process is stopped, signups go on, and it is started again. */
    private Outage outage(Load load, Depth depth) throws IOException, InterruptedException, SQLException {
        pipeline.stop("fake-email");
        try (SignupClient client = new SignupClient(pipeline.url("signup-service"), "outage-")) {
            Measurement measured = OpenLoad.run(load, client);
            String users = "select count(*) from users u where email like 'outage-%' ";
            long halfDone = switch (stage) {
                case 1 -> count(users) - measured.ok();
                case 2 -> count(users + "and not exists (select from jobs j where j.user_id = u.id)");
                default -> count(users + "and not exists (select from outbox o where o.aggregateid = u.id::text)");
            };
            int retry = client.send(0);
            say("provider stopped: %s; %d half done; the first one again: %d"
                    .formatted(measured.summary(), halfDone, retry));
            pipeline.start("fake-email", Map.of());
            return new Outage(measured.requests(), measured.failed(), halfDone, retry, depth.now(), Double.NaN, false);
        }
    }

    /** Nothing but the front door and its database runs; then everything comes back and has all e-mails to send. */
    private Measurement everythingBehindStopped() throws IOException, InterruptedException, SQLException {
        List<String> behind = List.of("fake-email", "email-consumer", "outbox-relay", "kafka");
        for (String name : behind) {
            pipeline.stop(name);
        }
        Measurement alone = load("alone", Load.of(SLOW, extent.alone()));
        for (String name : behind.reversed()) {
            pipeline.start(name, Map.of());
        }
        await("the e-mails of those that signed up meanwhile", () -> provider.count("accepted") >= alone.ok());
        say("all %d e-mails accepted after everything came back".formatted(alone.ok()));
        return alone;
    }

    private long killWorkerInMidSend() throws IOException, InterruptedException, SQLException {
        // a batch is written as sent when it has ended; the provider has forgotten what was before its outage
        Depth sent = () -> count("select count(*) from jobs where status = 'SENT'");
        long ended = sent.now();
        await("the worker to end a batch", () -> sent.now() > ended);
        long accepted = provider.count("accepted");
        await("the worker to be in the midst of a batch", () -> provider.count("accepted") >= accepted + 2);
        say("killing the worker with -9 in mid-send");
        pipeline.kill("worker");
        pipeline.start("worker", Map.of());
        long begin = System.nanoTime();
        await(
                "the worker to send again",
                () -> provider.count("duplicates") >= 1 || System.nanoTime() - begin > PATIENCE.toNanos() / 8);
        return provider.count("duplicates");
    }

    private Poison poison(Duration watched, Depth deadLetters, Condition settled, Step start)
            throws IOException, InterruptedException, SQLException {
        provider.pace(20, 50, 0);
        provider.refuse("poison-*");
        try (SignupClient poison = new SignupClient(pipeline.url("signup-service"), "poison-");
                SignupClient others = new SignupClient(pipeline.url("signup-service"), "behind-")) {
            for (int i = 0; i < POISON; i++) {
                poison.send(i);
            }
            for (int i = 0; i < POISON; i++) {
                others.send(i);
            }
            start.run();
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < watched.toNanos() && !settled.holds()) {
                pause(Duration.ofMillis(200));
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            long asked = 0;
            long sent = 0;
            for (int i = 0; i < POISON; i++) {
                asked += provider.count("requests", poison.address(i));
                sent += provider.count("accepted", others.address(i));
            }
            say("ten poison addresses: asked for %d times in %.1f s, %d of 10 e-mails behind them sent"
                    .formatted(asked, seconds, sent));
            return new Poison(seconds, asked, sent, deadLetters.now());
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private Measurement load(String name, Load load) throws InterruptedException {
        try (SignupClient client = new SignupClient(pipeline.url("signup-service"), name + "-")) {
            say("%s: %.0f signups a second for %d s"
                    .formatted(name, load.rate(), load.duration().toSeconds()));
            Measurement measured = OpenLoad.run(load, client);
            say("%s: %s".formatted(name, measured.summary()));
            return measured;
        }
    }

    /** The load, while the queue's depth is looked at twice a second. */
    private Measurement observed(List<Point> depth, Depth queue, Load load) throws InterruptedException {
        long begin = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        Thread observer = Thread.ofVirtual().start(() -> {
            try {
                while (!over.get()) {
                    depth.add(new Point((System.nanoTime() - begin) / 1e9, queue.now()));
                    pause(Duration.ofMillis(500));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | SQLException e) {
                say("the queue's depth could not be read: " + e.getClass().getSimpleName());
            }
        });
        try {
            return load("busy", load);
        } finally {
            over.set(true);
            observer.join();
        }
    }

    private void await(String what, Condition condition) throws IOException, InterruptedException, SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "stage " + stage + ": waited " + PATIENCE.toSeconds() + " s for " + what);
            }
            pause(Duration.ofMillis(200));
        }
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = pipeline.connect("signup");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pipeline.connect("signup");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void say(String line) {
        workspace.say("stage " + stage + ": " + line);
    }

    private static void pause(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    static boolean isConflict(int status) {
        return status == CONFLICT;
    }

    @Override
    public void close() {
        http.close();
        pipeline.close();
    }
}
