package dev.signups.relay.relay;

import dev.signups.relay.engine.EngineProperties.Reader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A relay without its web server in a JVM of its own, quick to start, to be killed. */
final class KilledRelay {

    private KilledRelay() {}

    static Process spawn(Outbox outbox, String kafka, Reader reader, int batch, Path log) throws IOException {
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
                        Integer.toString(batch)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    static void main(String[] args) throws InterruptedException {
        TestRelay.start(
                args[0], args[1], args[2], TestRelay.engine(Reader.valueOf(args[3]), Integer.parseInt(args[4])));
        new CountDownLatch(1).await();
    }
}
