package dev.signups.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL and one Kafka for all integration tests of a JVM, started when first asked for and ended with the JVM.
 *
 * <p>Tests share the servers and nothing in them: each takes a database from {@link LocalPostgres#createDatabase} and
 * topics or keys of its own. A test that stops or kills a server starts its own pair.
 */
public final class LocalStack {

    static final Stack AS_STACK = new Stack() {
        @Override
        public Postgres postgres() {
            return LocalStack.postgres();
        }

        @Override
        public Kafka kafka() {
            return LocalStack.kafka();
        }
    };

    private static @Nullable LocalPostgres postgres;
    private static @Nullable LocalKafka kafka;
    private static @Nullable Path folder;

    private LocalStack() {}

    /** The shared PostgreSQL. */
    public static synchronized LocalPostgres postgres() {
        if (postgres == null) {
            postgres = LocalPostgres.start(
                    // a slot for each outbox of a test run, whether its test tidied up or not
                    folder().resolve("postgres"), 0, "max_replication_slots=300", "max_wal_senders=60");
        }
        return postgres;
    }

    /** The shared Kafka. */
    public static synchronized LocalKafka kafka() {
        if (kafka == null) {
            kafka = LocalKafka.start(folder().resolve("kafka"), 0);
        }
        return kafka;
    }

    private static Path folder() {
        if (folder == null) {
            try {
                folder = Files.createTempDirectory("local-stack");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(LocalStack::close, "local-stack-close"));
        }
        return folder;
    }

    private static synchronized void close() {
        if (kafka != null) {
            kafka.kill();
        }
        if (postgres != null) {
            postgres.stop(LocalPostgres.StopMode.IMMEDIATE);
        }
        if (folder != null) {
            delete(folder);
        }
    }

    private static void delete(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // a file that a dying server still held; the folder is the machine's temporary one
        }
    }
}
