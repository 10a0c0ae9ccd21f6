package dev.signups.localstack.demo;

import dev.signups.localstack.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What must hold on this machine before anything is started; each has one line that says what to do. */
final class Checks {

    private static final long NEEDED_BYTES = 1L << 30;

    private Checks() {}

    static void portsAreFree(DemoState state) {
        state.members().forEach(member -> portIsFree(member, state.port(member)));
    }

    static void portIsFree(Member member, int port) {
        if (Ports.isTaken(port)) {
            throw DemoFailure.of(
                    "port %d, for %s, is taken by another program; end that, or choose another port with %s=…"
                            .formatted(port, member.label(), member.portSetting()));
        }
    }

    static void diskHasRoom(Path folder) {
        try {
            Files.createDirectories(folder);
            long usable = Files.getFileStore(folder).getUsableSpace();
            if (usable < NEEDED_BYTES) {
                throw DemoFailure.of(
                        "%s has %d MB left on its disk and the demo needs 1024; make room, or choose another folder with --data"
                                .formatted(folder, usable >> 20));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void noDemoRuns(StateFile stateFile) {
        stateFile.read().ifPresent(Checks::isNotRunning);
    }

    static void isNotRunning(DemoState state) {
        if (state.isRunning()) {
            throw DemoFailure.of(
                    "a demo is running already (since %s): infra/demo --status shows it, infra/demo --stop stops it"
                            .formatted(state.launcher().startedAt()));
        }
    }
}
