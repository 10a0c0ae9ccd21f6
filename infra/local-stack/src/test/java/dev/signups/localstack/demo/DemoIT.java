package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.Ports;
import dev.signups.localstack.Signals;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as the script starts it, with real servers, and with stand-ins for the four services. */
class DemoIT {

    @TempDir
    Path checkout;

    private final Map<String, String> environment = new HashMap<>();
    private int runs;

    private record Result(int exitCode, String output) {}

    @BeforeEach
    void standIns() throws IOException {
        for (Member member : Member.values()) {
            environment.put(member.portSetting(), Integer.toString(Ports.free()));
        }
        for (Member service : Member.services()) {
            environment.put(service.javaOptionsSetting(), "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
            StandIn.writeJar(Folders.of(checkout.resolve("infra")).jar(service));
        }
    }

    @AfterEach
    void stop() throws Exception {
        demo("--stop");
    }

    @Test
    void runsDetachedAndIsControlledFromOtherShells() throws Exception {
        Result start = demo("--detach", "--data", "kept");
        assertThat(start.exitCode()).as(start.output()).isZero();
        assertThat(start.output()).contains("Ready in", "user operator, password demo", "curl -i http://127.0.0.1:");
        assertThat(status())
                .hasSize(Member.of(3).size())
                .allMatch(line -> line.matches("[a-z-]+ pid=[1-9]\\d* port=\\d+ state=ready"));
        assertThat(checkout.resolve("kept/postgres/PG_VERSION")).exists();

        Signals.send(pid("fake-email"), "KILL");
        awaitState("fake-email", "stopped");
        assertThat(demo("--start", "fake-email").output()).contains("ready");
        awaitState("fake-email", "ready");

        assertThat(demo("--stop", "kafka").exitCode()).isZero();
        awaitState("kafka", "stopped");
        assertThat(demo("--start", "kafka").exitCode()).isZero();
        awaitState("kafka", "ready");
        assertThat(demo("--start", "kafka").output()).contains("kafka is running already");

        Result second = demo();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.output()).contains("a demo is running already");

        assertThat(demo("--stop").exitCode()).isZero();
        assertThat(status()).allMatch(line -> line.endsWith("state=stopped"));
    }

    @Test
    void startsNoMoreThanItsStageConsistsOf() throws Exception {
        Result start = demo("--detach", "--stage", "1");
        assertThat(start.exitCode()).as(start.output()).isZero();
        assertThat(start.output()).contains("stage 1 of the article");
        for (Member member : Member.of(1)) {
            awaitState(member.label(), "ready");
        }
        assertThat(status()).hasSize(3);

        Result other = demo("--start", "kafka");
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.output()).contains("kafka is no part of stage 1");
    }

    @Test
    void endsWithEverythingOnCtrlC() throws Exception {
        Process demo = start("--stage", "3");
        awaitOutput("Ctrl-C stops everything");
        List<Long> pids = pids();
        assertThat(pids).hasSize(6);
        Signals.send(demo.pid(), "INT");
        assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(demo.exitValue()).as(output()).isZero();
        assertThat(pids).noneMatch(DemoIT::isAlive);
        assertThat(checkout.resolve("infra/.demo/state")).doesNotExist();
    }

    @Test
    void followsOnWhenAServiceDiesAndCleansUpAfterItsOwnDeath() throws Exception {
        Process demo = start();
        awaitOutput("Ctrl-C stops everything");
        List<Long> pids = pids();
        Signals.send(pid("outbox-relay"), "KILL");
        awaitOutput("outbox-relay has died; start it again with: infra/demo --start outbox-relay");
        Signals.send(demo.pid(), "KILL");
        demo.waitFor();
        assertThat(pids.stream().filter(DemoIT::isAlive)).hasSize(5);

        // the next start ends what was left, and then finds a port taken by somebody else
        try (ServerSocket taken = new ServerSocket(
                Integer.parseInt(environment.get("OUTBOX_RELAY_PORT")), 1, InetAddress.getLoopbackAddress())) {
            Result next = demo();
            assertThat(next.exitCode()).isEqualTo(1);
            assertThat(next.output())
                    .contains("Ending what an earlier run left")
                    .contains("port " + taken.getLocalPort() + ", for outbox-relay, is taken")
                    .contains("OUTBOX_RELAY_PORT=");
        }
        assertThat(pids).noneMatch(DemoIT::isAlive);
    }

    @Test
    void showsTheLogOfAServiceThatDiesAtStartAndStopsTheRest() throws Exception {
        environment.put("OUTBOX_RELAY_JAVA_OPTS", "-Dfail=true");
        Result failed = demo("--detach");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.output())
                .contains("outbox-relay ended while it was starting")
                .contains("outbox-relay.log")
                .contains("the reason is here");
        assertThat(status()).allMatch(line -> line.endsWith("state=stopped"));
        for (Member member : Member.values()) {
            assertThat(Ports.isTaken(Integer.parseInt(environment.get(member.portSetting()))))
                    .as(member.label())
                    .isFalse();
        }
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.exists(Path.of("/usr/bin/env"))
                && System.getProperty("os.name").equals("Linux")) {
            // a build in the background hands down an ignored SIGINT, which a JVM then ignores as well
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.addAll(List.of(
                JavaOptions.java(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-Ddemo.infra=" + checkout.resolve("infra"),
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(outputFile(++runs));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Result demo(String... arguments) throws Exception {
        Process process = start(arguments);
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(output()).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), output());
    }

    private File outputFile(int run) {
        return checkout.resolve("output-" + run).toFile();
    }

    private String output() throws IOException {
        return Files.readString(outputFile(runs).toPath());
    }

    private List<String> status() throws Exception {
        return demo("--status").output().lines().toList();
    }

    private List<Long> pids() {
        return Folders.of(checkout.resolve("infra")).state().read().orElseThrow().processes().values().stream()
                .map(OwnedProcess::pid)
                .toList();
    }

    private long pid(String name) {
        return Folders.of(checkout.resolve("infra"))
                .state()
                .read()
                .orElseThrow()
                .processes()
                .get(Member.named(name))
                .pid();
    }

    private void awaitState(String name, String state) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        String line = "";
        while (System.nanoTime() < deadline) {
            line = status().stream()
                    .filter(found -> found.startsWith(name + " "))
                    .findFirst()
                    .orElse("");
            if (line.endsWith("state=" + state)) {
                return;
            }
        }
        throw new AssertionError(line);
    }

    private void awaitOutput(String text) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!output().contains(text)) {
            assertThat(System.nanoTime()).as(output()).isLessThan(deadline);
            Waiting.millis(50);
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid)
                .filter(handle -> handle.isAlive() && handle.info().command().isPresent())
                .isPresent();
    }
}
