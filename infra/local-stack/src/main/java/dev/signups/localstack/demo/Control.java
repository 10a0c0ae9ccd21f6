package dev.signups.localstack.demo;

import dev.signups.localstack.Signals;
import java.time.Duration;
import java.util.Map;

/** Stops and starts processes of a demo that another shell started. */
final class Control {

    private static final Duration LAUNCHER_LIMIT = Duration.ofSeconds(90);

    private final Folders folders;
    private final StateFile stateFile;
    private final Map<String, String> environment;
    private final Console console;

    Control(Folders folders, Map<String, String> environment, Console console) {
        this.folders = folders;
        this.stateFile = folders.state();
        this.environment = environment;
        this.console = console;
    }

    void run(Options options) {
        DemoState state = stateFile.read().orElse(null);
        Member member = options.member();
        if (options.action() == Options.Action.START) {
            if (state == null || member == null) {
                throw DemoFailure.of("no demo is running; start one with infra/demo");
            }
            start(member, state);
        } else if (state == null) {
            console.line("no demo is running");
        } else if (member == null) {
            stopAll(state);
        } else {
            stop(member, state);
        }
    }

    private void start(Member member, DemoState state) {
        if (!state.members().contains(member)) {
            throw DemoFailure.usage(member.label() + " is no part of stage " + state.stage());
        }
        if (state.isAlive(member)) {
            console.line(member.label() + " is running already");
            return;
        }
        Checks.portIsFree(member, state.port(member));
        long begin = System.nanoTime();
        try {
            new MemberLauncher(folders, environment).launch(member, state);
        } catch (DemoFailure e) {
            stateFile.read().ifPresent(found -> new Shutdown(stateFile, console).one(member, found));
            throw e;
        }
        console.step(member.label(), "ready", Duration.ofNanos(System.nanoTime() - begin));
    }

    private void stop(Member member, DemoState state) {
        if (!state.isAlive(member)) {
            console.line(member.label() + " is not running");
        }
        new Shutdown(stateFile, console).one(member, state);
    }

    /** A launcher that follows stops everything itself when it is told to end. */
    private void stopAll(DemoState state) {
        if (state.launcher().isAlive()) {
            Signals.send(state.launcher().pid(), "TERM");
            long deadline = System.nanoTime() + LAUNCHER_LIMIT.toNanos();
            while (state.launcher().isAlive() && System.nanoTime() < deadline) {
                Waiting.millis(50);
            }
        }
        new Shutdown(stateFile, console).all();
        console.line("stopped");
    }
}
