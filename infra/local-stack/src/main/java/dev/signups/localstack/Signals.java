package dev.signups.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals by process id. Java itself sends only TERM and KILL. */
public final class Signals {

    private Signals() {}

    /**
     * Sends a signal.
     *
     * @param pid the process
     * @param name the signal's name without SIG: {@code KILL}, {@code STOP}, {@code CONT}, {@code TERM}, {@code INT}, {@code QUIT}
     */
    public static void send(long pid, String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0 && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                throw new IllegalStateException("kill -" + name + " " + pid + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
