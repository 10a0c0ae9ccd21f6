package dev.signups.localstack.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stops the demo once, whoever asks: Ctrl-C, {@code --stop} from another shell (both end the JVM, which runs this as a
 * hook) or a failure of the start.
 */
final class Stopper {

    private final MemberLauncher launcher;
    private final Shutdown shutdown;
    private final Console console;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int exitCode;

    Stopper(MemberLauncher launcher, Shutdown shutdown, Console console) {
        this.launcher = launcher;
        this.shutdown = shutdown;
        this.console = console;
    }

    /** The thread to run when the JVM is told to end; it decides the exit code, which is 0 after Ctrl-C. */
    Thread hook() {
        return new Thread(
                () -> {
                    stop();
                    Runtime.getRuntime().halt(exitCode);
                },
                "demo-stop");
    }

    boolean hasBegun() {
        return begun.get();
    }

    /** Says why, stops, and ends the JVM with the exit code. */
    void fail(String why, int code) {
        if (!hasBegun()) {
            exitCode = code;
            System.err.println("demo: " + why);
            stop();
        }
        System.exit(code);
    }

    private void stop() {
        if (begun.compareAndSet(false, true)) {
            try {
                console.line("Stopping");
                launcher.close();
                shutdown.all();
            } finally {
                done.countDown();
            }
        } else {
            awaitDone();
        }
    }

    private void awaitDone() {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
