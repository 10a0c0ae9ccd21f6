package dev.signups.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server of the stack as an operating-system process: what it prints goes to a file, signals go to its id. */
final class ChildProcess {

    private final Process process;
    private final Path log;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ChildProcess start(List<String> command, Path directory, Path log) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process.getOutputStream().close();
            return new ChildProcess(process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), e);
        }
    }

    static ChildProcess start(Detached how, List<String> command, Path directory) {
        return new ChildProcess(how.start(command, directory, Map.of()), how.log());
    }

    /** Runs to the end; a non-zero exit is an error with the end of the log. */
    static void run(List<String> command, Path directory, Path log, Duration limit) {
        ChildProcess child = start(command, directory, log);
        if (!child.awaitExit(limit)) {
            child.kill();
            throw new IllegalStateException(command.getFirst() + " did not end within " + limit + "\n" + child.tail());
        }
        if (child.process.exitValue() != 0) {
            throw new IllegalStateException(
                    command.getFirst() + " ended with " + child.process.exitValue() + "\n" + child.tail());
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: the process gets no chance to tidy up. */
    void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(10));
    }

    boolean awaitExit(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    void signal(String name) {
        Signals.send(process.pid(), name);
    }

    String tail() {
        return tail(log, 20);
    }

    static String tail(Path log, int lines) {
        try {
            List<String> all = Files.readAllLines(log);
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(no log at " + log + ")";
        }
    }
}
