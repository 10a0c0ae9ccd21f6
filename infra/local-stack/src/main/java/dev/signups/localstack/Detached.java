package dev.signups.localstack;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * How a process is started that outlives the one that starts it: in a session of its own, so that neither Ctrl-C nor
 * the end of the terminal reaches it, and with no pipe to its parent.
 *
 * @param log the file that takes what it prints
 * @param background whether it leaves the processor to others that want it
 * @param started told the process id at once, before the process is ready for anything
 */
public record Detached(Path log, boolean background, LongConsumer started) {

    /** A session may have a priority of its own, which counts instead of its processes' (sched(7), autogroups). */
    private static final String YIELDING = "{ echo 10 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 10 \"$@\"";

    /** Starts the program; its process id is the one the command gets, since the session's helper becomes it. */
    public Process start(List<String> command, Path directory, Map<String, String> environment) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(inOwnSession(command))
                    .directory(directory.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            started.accept(process.pid());
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), e);
        }
    }

    /** {@code setsid} is not part of macOS; Perl is. */
    private List<String> inOwnSession(List<String> command) {
        List<String> wrapped = new ArrayList<>(
                isOnPath("setsid")
                        ? List.of("setsid")
                        : List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec @ARGV"));
        if (background) {
            wrapped.addAll(List.of("sh", "-c", YIELDING, "sh"));
        }
        wrapped.addAll(command);
        return wrapped;
    }

    private static boolean isOnPath(String program) {
        for (String folder :
                System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
