package dev.signups.loadtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where a scenario works.
 *
 * @param root the top of the checkout
 * @param scenario whose work it is
 */
public record Workspace(Path root, String scenario) {

    private static final long BEGIN = System.nanoTime();

    /** A folder of this run, empty at its beginning. */
    public Path folder(String name) {
        Path folder = root.resolve("load-tests/target/work").resolve(scenario).resolve(name);
        delete(folder);
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of what is left for people to read. */
    public Path report() {
        try {
            return Files.createDirectories(root.resolve("load-tests/target/report"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The executable jar of a service. */
    public Path jar(String service) {
        return root.resolve(service).resolve("target").resolve(service + "-0.1.0-SNAPSHOT.jar");
    }

    /** The program of the JVM that runs this. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** A line of progress, with the seconds since the beginning. */
    public void say(String line) {
        long seconds = Duration.ofNanos(System.nanoTime() - BEGIN).toSeconds();
        System.out.printf("[%4d s] %s%n", seconds, line);
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
