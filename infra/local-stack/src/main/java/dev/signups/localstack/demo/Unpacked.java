package dev.signups.localstack.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * Services unpacked from their executable jars: they start quicker than from nested jars, and a build can replace the
 * jars while the demo runs.
 */
final class Unpacked {

    private final Folders folders;

    Unpacked(Folders folders) {
        this.folders = folders;
    }

    /** The jar to run, unpacked now unless an earlier run has unpacked the same one. */
    Path jar(Member service) {
        Path jar = folders.jar(service);
        try {
            if (!Files.exists(jar)) {
                throw DemoFailure.of(jar + " is missing; build it with mvn package");
            }
            Path parent = folders.applications().resolve(service.module());
            Path folder = parent.resolve(fingerprint(jar));
            Path unpacked = folder.resolve(jar.getFileName());
            if (!Files.exists(folder)) {
                deleteOthers(parent);
                Path unpacking = parent.resolve("unpacking");
                unpack(jar, unpacking);
                Files.move(unpacking, folder);
            }
            return unpacked;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the content: a reproducible build gives every jar the same time. */
    private static String fingerprint(Path jar) throws IOException {
        CRC32C checksum = new CRC32C();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(jar), checksum)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Long.toHexString(checksum.getValue());
    }

    private static void deleteOthers(Path parent) throws IOException {
        Files.createDirectories(parent);
        try (Stream<Path> others = Files.list(parent)) {
            others.toList().forEach(Folders::delete);
        }
    }

    private static void unpack(Path jar, Path target) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        JavaOptions.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djarmode=tools",
                        "-jar",
                        jar.toString(),
                        "extract",
                        "--destination",
                        target.toString()))
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw DemoFailure.of("cannot unpack " + jar + ": " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while unpacking " + jar, e);
        }
    }
}
