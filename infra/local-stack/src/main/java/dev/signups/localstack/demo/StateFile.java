package dev.signups.localstack.demo;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The state on disk, changed by one process at a time and replaced as a whole, so that a reader never sees half of it.
 * Only its owner may read it: it holds the operator's password for {@code --start}.
 */
final class StateFile {

    private final Path file;

    StateFile(Path file) {
        this.file = file;
    }

    /** The state; empty where no demo is, or where the file cannot be understood. */
    Optional<DemoState> read() {
        try (Reader reader = Files.newBufferedReader(file)) {
            Properties properties = new Properties();
            properties.load(reader);
            return Optional.of(DemoState.from(properties));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw DemoFailure.of(file + " cannot be read; end what is left by hand and delete it");
        }
    }

    /** Replaces the state by what the function makes of it, under a lock that other launchers respect. */
    synchronized DemoState replace(Function<Optional<DemoState>, DemoState> change) {
        try {
            Files.createDirectories(file.getParent());
            // closing the channel ends the lock
            try (FileChannel channel = FileChannel.open(
                    file.resolveSibling("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                DemoState changed = change.apply(read());
                write(changed);
                return changed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the state of a demo that is there. */
    DemoState update(UnaryOperator<DemoState> change) {
        return replace(state -> change.apply(state.orElseThrow(() -> DemoFailure.of("the demo was stopped"))));
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(DemoState state) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (Writer writer = Files.newBufferedWriter(next)) {
            state.toProperties().store(writer, "the demo that infra/demo started");
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
