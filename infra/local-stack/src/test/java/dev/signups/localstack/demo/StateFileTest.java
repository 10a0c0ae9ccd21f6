package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {

    private static final OwnedProcess DEAD = new OwnedProcess(Long.MAX_VALUE, Instant.EPOCH, "java");

    @TempDir
    Path folder;

    private StateFile file;

    @BeforeEach
    void file() {
        file = new StateFile(folder.resolve("new folder").resolve("state"));
    }

    @Test
    void isEmptyWhereNoDemoIs() {
        assertThat(file.read()).isEmpty();
    }

    @Test
    void readsWhatItWrote() {
        DemoState state = new DemoState(
                2,
                Path.of("/some where/data"),
                true,
                OwnedProcess.current(),
                Settings.from(Map.of("KAFKA_PORT", "4242", "OPERATOR_PASSWORD", "a = \\ ü")),
                Map.of(Member.KAFKA, new OwnedProcess(7, Instant.parse("2026-01-02T03:04:05.678Z"), "java")));
        file.replace(none -> state);
        assertThat(file.read()).contains(state);
    }

    @Test
    void onlyItsOwnerMayReadThePassword() throws IOException {
        file.replace(none -> state(true, DEAD));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                        folder.resolve("new folder").resolve("state"))))
                .isEqualTo("rw-------");
    }

    @Test
    void losesNoChangeOfSeveralThreads() throws InterruptedException {
        file.replace(none -> state(true, DEAD));
        List<Thread> threads = new ArrayList<>();
        for (Member member : Member.values()) {
            threads.add(Thread.ofVirtual()
                    .start(() -> file.update(state ->
                            state.with(member, new OwnedProcess(member.ordinal(), Instant.EPOCH, member.program())))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(file.read().orElseThrow().processes()).containsOnlyKeys(Member.values());
    }

    @Test
    void saysThatItCannotBeRead() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken"), "kafka.port=x");
        assertThatExceptionOfType(DemoFailure.class)
                .isThrownBy(() -> new StateFile(broken).read())
                .withMessageContaining(broken.toString());
    }

    @Test
    void demoRunsWhileItsLauncherLives() {
        assertThat(state(false, OwnedProcess.current()).isRunning()).isTrue();
        assertThat(state(false, DEAD).with(Member.KAFKA, OwnedProcess.current()).isRunning())
                .as("leftovers of a launcher that was killed")
                .isFalse();
    }

    @Test
    void detachedDemoRunsWhileAnyProcessLives() {
        assertThat(state(true, DEAD).isRunning()).isFalse();
        assertThat(state(true, DEAD).with(Member.KAFKA, OwnedProcess.current()).isRunning())
                .isTrue();
    }

    @Test
    void anotherProcessWithTheSameIdIsNotOurs() {
        OwnedProcess current = OwnedProcess.current();
        assertThat(current.isAlive()).isTrue();
        assertThat(new OwnedProcess(current.pid(), current.startedAt().minus(Duration.ofMinutes(1)), "java").isAlive())
                .isFalse();
        assertThat(new OwnedProcess(current.pid(), current.startedAt(), "postgres").isAlive())
                .isFalse();
    }

    private static DemoState state(boolean detached, OwnedProcess launcher) {
        return new DemoState(3, Path.of("/data"), detached, launcher, Settings.from(Map.of()), Map.of());
    }
}
