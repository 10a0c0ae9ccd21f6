package dev.signups.localstack.demo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One line per process, in a form that scripts may rely on. */
final class Status {

    private final StateFile stateFile;
    private final Map<String, String> environment;

    Status(StateFile stateFile, Map<String, String> environment) {
        this.stateFile = stateFile;
        this.environment = Map.copyOf(environment);
    }

    List<String> lines() {
        DemoState state = stateFile.read().orElse(null);
        if (state == null) {
            Settings settings = Settings.from(environment);
            return Member.of(3).stream()
                    .map(member -> line(member, 0, settings.ports().getOrDefault(member, 0), "stopped"))
                    .toList();
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return state.members().stream()
                    .map(member -> CompletableFuture.supplyAsync(() -> line(member, state), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        }
    }

    private static String line(Member member, DemoState state) {
        int port = state.port(member);
        OwnedProcess process = state.processes().get(member);
        if (process == null || !process.isAlive()) {
            return line(member, 0, port, "stopped");
        }
        return line(member, process.pid(), port, Probe.isReady(member, port) ? "ready" : "starting");
    }

    static String line(Member member, long pid, int port, String state) {
        return "%s pid=%d port=%d state=%s".formatted(member.label(), pid, port, state);
    }
}
