package dev.signups.localstack.demo;

import dev.signups.localstack.Signals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stops processes: in order and with time to finish their work, but not for ever. */
final class Shutdown {

    private static final Duration SERVICE_LIMIT = Duration.ofSeconds(20);
    private static final Duration SERVER_LIMIT = Duration.ofSeconds(15);

    private final StateFile stateFile;
    private final Console console;

    Shutdown(StateFile stateFile, Console console) {
        this.stateFile = stateFile;
        this.console = console;
    }

    /** Services first, then what they write to. */
    void all() {
        stateFile.read().ifPresent(state -> {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                CompletableFuture.allOf(Member.services().stream()
                                .map(service -> CompletableFuture.runAsync(() -> stop(service, state), threads))
                                .toArray(CompletableFuture<?>[]::new))
                        .join();
            }
            stop(Member.KAFKA, state);
            stop(Member.POSTGRES, state);
            stateFile.delete();
        });
    }

    /** One process, which then counts as stopped on purpose. */
    void one(Member member, DemoState state) {
        stop(member, state);
        stateFile.update(found -> found.without(member));
    }

    private void stop(Member member, DemoState state) {
        OwnedProcess process = state.processes().get(member);
        if (process != null) {
            process.handle().ifPresent(handle -> {
                long begin = System.nanoTime();
                end(member, process, handle);
                console.step(member.label(), "stopped", Duration.ofNanos(System.nanoTime() - begin));
            });
        }
    }

    private static void end(Member member, OwnedProcess process, ProcessHandle handle) {
        List<ProcessHandle> children = handle.descendants().toList();
        // PostgreSQL ends open sessions on INT; on TERM it would wait for them
        Signals.send(process.pid(), member == Member.POSTGRES ? "INT" : "TERM");
        if (!endsWithin(process, member.isService() ? SERVICE_LIMIT : SERVER_LIMIT)) {
            handle.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            endsWithin(process, SERVER_LIMIT);
        }
    }

    private static boolean endsWithin(OwnedProcess process, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (process.isAlive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Waiting.millis(50);
        }
        return true;
    }
}
