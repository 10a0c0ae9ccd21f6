package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties.Reader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A relay without its web server in a JVM of its own, quick to start, to be killed. */
final class KilledRelay {

    private KilledRelay() {}

    static Process spawn(Outbox outbox, String kafka, Reader reader, int batch, Path log) throws IOException {
        return spawn(outbox, kafka, reader, batch, log, Duration.ofMillis(2));
    }

    /**
     * With a gap of seconds between two Kafka transactions there is time to kill it after one and before the next.
     *
     * @param gap the shortest time between two Kafka transactions
     */
    static Process spawn(Outbox outbox, String kafka, Reader reader, int batch, Path log, Duration gap)
            throws IOException {
        return new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledRelay.class.getName(),
                        outbox.jdbcUrl(),
                        outbox.database(),
                        kafka,
                        reader.name(),
                        Integer.toString(batch),
                        Long.toString(gap.toMillis())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    static void main(String[] args) throws InterruptedException {
        Duration gap = Duration.ofMillis(Long.parseLong(args[5]));
        TestRelay.Settings settings = TestRelay.of(args[0], args[1], args[2])
                .engine(TestRelay.engine(Reader.valueOf(args[3]), Integer.parseInt(args[4])))
                .gap(gap);
        // the relay's own messages would take a transaction each
        (gap.toMillis() < 1000 ? settings : settings.heartbeat(Duration.ofMinutes(10))).start();
        new CountDownLatch(1).await();
    }
}
