package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The demo itself: everything up, followed until Ctrl-C, everything down. */
final class Run {

    private final Folders folders;
    private final StateFile stateFile;
    private final Map<String, String> environment;
    private final Console console;
    private final Shutdown shutdown;

    Run(Folders folders, Map<String, String> environment, Console console) {
        this.folders = folders;
        this.stateFile = folders.state();
        this.environment = environment;
        this.console = console;
        this.shutdown = new Shutdown(stateFile, console);
    }

    void run(Options options) {
        long begin = System.nanoTime();
        Settings settings = Settings.from(environment);
        Path data = options.data() == null ? folders.freshData() : options.data();
        endLeftovers();
        DemoState state =
                new DemoState(options.stage(), data, options.detach(), OwnedProcess.current(), settings, Map.of());
        Checks.portsAreFree(state);
        Checks.diskHasRoom(data);
        stateFile.replace(found -> {
            found.ifPresent(Checks::isNotRunning);
            return state;
        });

        MemberLauncher launcher = new MemberLauncher(folders, environment);
        Stopper stopper = new Stopper(launcher, shutdown, console);
        Thread hook = stopper.hook();
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Folders.delete(folders.logs());
            Folders.delete(folders.freshData());
            new Startup(launcher, state, console, begin).run();
            Welcome welcome = new Welcome(state, folders, console);
            if (options.detach()) {
                Runtime.getRuntime().removeShutdownHook(hook);
                welcome.print(Duration.ofNanos(System.nanoTime() - begin));
            } else if (state.stage() < 3) {
                welcome.print(Duration.ofNanos(System.nanoTime() - begin));
                watch(new Watch(stateFile, console), stopper);
            } else {
                try (Follower follower = Follower.open(stateFile, state, console)) {
                    welcome.print(Duration.ofNanos(System.nanoTime() - begin));
                    follower.follow(stopper::hasBegun);
                }
            }
        } catch (DemoFailure e) {
            stopper.fail(String.valueOf(e.getMessage()), e.exitCode());
        } catch (RuntimeException e) {
            stopper.fail(e.toString(), 1);
        }
    }

    /** The article's stages have nothing that could be followed: that is one of the things they are here to show. */
    private static void watch(Watch watch, Stopper stopper) {
        while (!stopper.hasBegun()) {
            watch.look();
            Waiting.millis(200);
        }
    }

    /** What a run left that was killed itself. */
    private void endLeftovers() {
        stateFile.read().ifPresent(state -> {
            Checks.isNotRunning(state);
            if (state.processes().values().stream().anyMatch(OwnedProcess::isAlive)) {
                console.line("Ending what an earlier run left");
                shutdown.all();
            }
        });
    }
}
