package dev.signups.localstack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server as a child process, with logical decoding and with every durable setting on.
 *
 * <p>Survives what tests do to it: {@link #kill()} and {@link #stop(StopMode)} may be followed by {@link #start()} on
 * the same data and port. It listens on loopback only and trusts whoever connects there.
 */
public final class LocalPostgres implements Postgres, AutoCloseable {

    /** How a server is asked to stop; the names are PostgreSQL's. */
    public enum StopMode {
        /** Ends open sessions, writes a checkpoint. */
        FAST("INT"),
        /** Ends at once, as in a crash, and recovers at the next start. */
        IMMEDIATE("QUIT");

        private final String signal;

        StopMode(String signal) {
            this.signal = signal;
        }
    }

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final List<String> DURABLE_AND_LOGICAL = List.of(
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "wal_level=logical",
            "max_replication_slots=20",
            "max_wal_senders=20",
            "max_slot_wal_keep_size=1GB",
            "wal_sender_timeout=30s",
            "max_connections=200",
            "shared_buffers=64MB",
            "log_min_messages=warning",
            "timezone=UTC",
            "log_timezone=UTC");

    private final Path data;
    private final Path log;
    private final int port;
    private final List<String> settings;
    private final @Nullable Detached detached;
    private @Nullable ChildProcess server;

    private LocalPostgres(Path data, int port, @Nullable Detached detached, List<String> settings) {
        this.data = data;
        this.log = detached == null ? data.resolveSibling(data.getFileName() + ".log") : detached.log();
        this.port = port;
        this.detached = detached;
        this.settings = settings;
    }

    /**
     * Starts a server on the data of an earlier run, or, where the folder is missing or empty, on a new cluster with
     * the pipeline's roles and databases.
     *
     * @param data folder of the cluster; its log is written beside it
     * @param port a port of the loopback interface, 0 for any free one
     * @param settings {@code name=value} pairs that win over this class's own
     */
    public static LocalPostgres start(Path data, int port, String... settings) {
        return start(data, port, null, List.of(settings));
    }

    /** Like {@link #start(Path, int, String...)}, but the server outlives this process. */
    public static LocalPostgres startDetached(Path data, int port, Detached detached, String... settings) {
        return start(data, port, detached, List.of(settings));
    }

    private static LocalPostgres start(Path data, int port, @Nullable Detached detached, List<String> settings) {
        int chosen = port == 0 ? Ports.free() : port;
        LocalPostgres postgres = new LocalPostgres(data.toAbsolutePath(), chosen, detached, settings);
        boolean fresh = !Files.exists(data.resolve("PG_VERSION"));
        if (fresh) {
            postgres.initdb();
        } else {
            postgres.endLeftover();
        }
        postgres.start();
        if (fresh) {
            postgres.runInitScript();
        }
        return postgres;
    }

    /** Starts the server again after a stop or a kill; returns when it accepts connections. */
    public void start() {
        if (server != null && server.isAlive()) {
            throw new IllegalStateException("PostgreSQL on port " + port + " is already running");
        }
        List<String> command =
                new ArrayList<>(command("postgres", "-D", data.toString(), "-p", Integer.toString(port)));
        List<String> all = new ArrayList<>(DURABLE_AND_LOGICAL);
        all.add("listen_addresses=127.0.0.1");
        all.add("unix_socket_directories=");
        all.addAll(settings);
        for (String setting : all) {
            command.add("-c");
            command.add(setting);
        }
        ChildProcess started =
                detached == null ? ChildProcess.start(command, data, log) : ChildProcess.start(detached, command, data);
        server = started;
        awaitReady(started);
    }

    /** Stops the server and waits for its end. */
    public void stop(StopMode mode) {
        ChildProcess running = server;
        if (running != null && running.isAlive()) {
            running.signal(mode.signal);
            if (!running.awaitExit(Duration.ofSeconds(30))) {
                running.kill();
            }
        }
    }

    /** kill -9 of the postmaster; its children notice and end by themselves. */
    public void kill() {
        ChildProcess running = server;
        if (running != null) {
            List<ProcessHandle> children = ProcessHandle.of(running.pid())
                    .map(handle -> handle.descendants().toList())
                    .orElse(List.of());
            running.kill();
            children.forEach(ProcessHandle::destroyForcibly);
            children.forEach(
                    child -> child.onExit().orTimeout(10, TimeUnit.SECONDS).join());
        }
    }

    /** Waits until the server can be asked, for a server that ended and is started by someone else. */
    public boolean isRunning() {
        return server != null && server.isAlive();
    }

    /** The server's process id. */
    public long pid() {
        if (server == null) {
            throw new IllegalStateException("PostgreSQL on port " + port + " was never started");
        }
        return server.pid();
    }

    /** The port of the loopback interface. */
    public int port() {
        return port;
    }

    /** The file that the server's log goes to. */
    public Path log() {
        return log;
    }

    @Override
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() {
        stop(StopMode.FAST);
    }

    private void initdb() {
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ChildProcess.run(
                command("initdb", "-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"),
                data,
                log,
                START_LIMIT);
    }

    /** A postmaster that outlived a killed run still holds the data. */
    private void endLeftover() {
        Path pidFile = data.resolve("postmaster.pid");
        try {
            if (Files.exists(pidFile)) {
                long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().trim());
                ProcessHandle.of(pid)
                        .filter(handle -> handle.info().command().orElse("").endsWith("/postgres"))
                        .ifPresent(handle -> {
                            Signals.send(pid, StopMode.IMMEDIATE.signal);
                            handle.onExit().orTimeout(30, TimeUnit.SECONDS).join();
                        });
                Files.deleteIfExists(pidFile);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady(ChildProcess started) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Connection connection = connect("postgres")) {
                if (connection.isValid(5)) {
                    return;
                }
            } catch (SQLException e) {
                if (!started.isAlive()) {
                    throw new IllegalStateException("PostgreSQL on port " + port + " ended\n" + started.tail(), e);
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "PostgreSQL on port " + port + " is not ready\n" + started.tail(), e);
                }
            }
            Pause.millis(25);
        }
    }

    private void runInitScript() {
        try (InputStream script = LocalPostgres.class.getResourceAsStream("/postgres/init.sql")) {
            if (script == null) {
                throw new IllegalStateException("postgres/init.sql is not on the class path");
            }
            for (String statement : new String(script.readAllBytes(), StandardCharsets.UTF_8).split("\n\n")) {
                String sql = statement.replaceAll("(?m)^--.*$", "").trim();
                if (!sql.isEmpty()) {
                    execute("postgres", sql);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own it does not know that it is. */
    private static List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("unshare");
            command.add("-U");
        }
        command.add(Binaries.HOME.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** The server's programs, unpacked once per machine and version. */
    private static final class Binaries {

        static final Path HOME = unpack();

        private static Path unpack() {
            String archive = archiveName();
            try (InputStream resource = LocalPostgres.class.getResourceAsStream("/" + archive)) {
                if (resource == null) {
                    throw new IllegalStateException(
                            "no PostgreSQL for this platform on the class path: " + archive + " is missing");
                }
                byte[] bytes = resource.readAllBytes();
                Path cache = Path.of(System.getProperty("java.io.tmpdir"))
                        .resolve("signup-pipeline-" + System.getProperty("user.name"));
                Path home = cache.resolve("postgres-" + UUID.nameUUIDFromBytes(bytes));
                if (!Files.exists(home)) {
                    Files.createDirectories(cache);
                    Path unpacking = Files.createTempDirectory(cache, "unpacking");
                    unpack(bytes, unpacking);
                    try {
                        Files.move(unpacking, home, StandardCopyOption.ATOMIC_MOVE);
                    } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
                        // another process was faster, with the same files
                    }
                }
                return home;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String archiveName() {
            boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
            boolean arm = System.getProperty("os.arch").equals("aarch64");
            return "postgres-" + (mac ? "darwin" : "linux") + "-" + (arm ? "arm_64" : "x86_64") + ".txz";
        }

        private static void unpack(byte[] bytes, Path target) throws IOException {
            try (TarArchiveInputStream tar = new TarArchiveInputStream(
                    new XZCompressorInputStream(new BufferedInputStream(new java.io.ByteArrayInputStream(bytes))))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    Path path = target.resolve(entry.getName()).normalize();
                    if (!path.startsWith(target)) {
                        throw new IOException("entry outside the archive: " + entry.getName());
                    }
                    if (entry.isDirectory()) {
                        Files.createDirectories(path);
                    } else if (entry.isSymbolicLink()) {
                        Files.createDirectories(path.getParent());
                        Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                    } else {
                        Files.createDirectories(path.getParent());
                        Files.copy(tar, path);
                        if ((entry.getMode() & 0100) != 0) {
                            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
                        }
                    }
                }
            }
        }
    }
}
