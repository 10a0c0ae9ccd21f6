package dev.signups.localstack.demo;

import dev.signups.localstack.Detached;
import dev.signups.localstack.LocalKafka;
import dev.signups.localstack.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts one process of the demo, writes it into the state at once, and returns when it is ready. */
final class MemberLauncher {

    private static final String WORKER_MAIN = "dev.signups.service.stage.WorkerApplication";
    private static final Duration READY_LIMIT = Duration.ofMinutes(3);

    private final Folders folders;
    private final StateFile stateFile;
    private final Map<String, String> environment;
    private boolean closed;

    MemberLauncher(Folders folders, Map<String, String> environment) {
        this.folders = folders;
        this.stateFile = folders.state();
        this.environment = Map.copyOf(environment);
    }

    void launch(Member member, DemoState state) {
        Detached detached = new Detached(folders.log(member), member.isBackground(), pid -> record(member, pid));
        try {
            switch (member) {
                case POSTGRES ->
                    LocalPostgres.startDetached(state.data().resolve("postgres"), state.port(member), detached);
                case KAFKA -> LocalKafka.startDetached(state.data().resolve("kafka"), state.port(member), detached);
                default -> startService(member, state, detached);
            }
        } catch (DemoFailure e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure(
                    member, String.valueOf(e.getMessage()).lines().findFirst().orElse("did not start"));
        }
    }

    /** From now on whatever starts is ended at once. */
    synchronized void close() {
        closed = true;
    }

    private void startService(Member service, DemoState state, Detached detached) {
        Path jar = new Unpacked(folders).jar(service);
        List<String> command = new ArrayList<>();
        command.add(JavaOptions.java());
        command.addAll(JavaOptions.of(service, jar, environment));
        command.addAll(
                service == Member.WORKER
                        ? List.of("-cp", jar.toString(), WORKER_MAIN)
                        : List.of("-jar", jar.toString()));
        Process process = detached.start(command, folders.demo(), new ServiceEnvironment(state).of(service));
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (!Probe.isReady(service, state.port(service))) {
            if (!process.isAlive()) {
                throw failure(service, service.label() + " ended while it was starting");
            }
            if (System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw failure(service, service.label() + " was not ready after " + READY_LIMIT.toSeconds() + " s");
            }
            Waiting.millis(100);
        }
    }

    private synchronized void record(Member member, long pid) {
        try {
            if (closed) {
                throw DemoFailure.of("stopping");
            }
            stateFile.update(state -> state.with(member, OwnedProcess.of(pid, member.program())));
        } catch (RuntimeException e) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            throw e;
        }
    }

    private DemoFailure failure(Member member, String what) {
        Path log = folders.log(member);
        String tail;
        try {
            List<String> lines = Files.readAllLines(log);
            tail = String.join("\n  ", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            tail = "(nothing)";
        }
        return DemoFailure.of(what + "; the end of its log " + log + ":\n  " + tail);
    }
}
