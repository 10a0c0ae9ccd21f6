package dev.signups.email;

import dev.signups.localstack.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The application as a process, to be killed. */
public final class ChildApp implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final Path log;
    public final OperatorClient operator;

    private ChildApp(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.operator = new OperatorClient(port);
    }

    static ChildApp start(Map<String, String> properties, String... jvmOptions) {
        try {
            Path log = Files.createTempFile("email-consumer", ".log");
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElseThrow());
            command.add("-Xmx256m");
            command.add("-XX:+UseSerialGC");
            command.add("-XX:TieredStopAtLevel=1");
            command.addAll(List.of(jvmOptions));
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(EmailConsumerApplication.class.getName());
            properties.forEach((name, value) -> {
                if (!name.equals("spring.main.register-shutdown-hook")) {
                    command.add("--" + name + "=" + value);
                }
            });
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            // a test that is given up must not leave its application behind
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            int port = Awaitility.await()
                    .atMost(Duration.ofSeconds(120))
                    .pollInterval(Duration.ofMillis(50))
                    .until(
                            () -> {
                                Matcher matcher = PORT.matcher(Files.readString(log));
                                if (matcher.find()) {
                                    return Integer.parseInt(matcher.group(1));
                                }
                                if (!process.isAlive()) {
                                    throw new IllegalStateException(Files.readString(log));
                                }
                                return 0;
                            },
                            found -> found > 0);
            return new ChildApp(process, log, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    public void signal(String name) {
        Signals.send(process.pid(), name);
    }

    /** SIGTERM; returns how long the process took to end. */
    public Duration terminate(Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        signal("TERM");
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("still there after " + limit + "\n" + log());
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            signal("CONT");
            kill();
        }
        Files.deleteIfExists(log);
    }
}
