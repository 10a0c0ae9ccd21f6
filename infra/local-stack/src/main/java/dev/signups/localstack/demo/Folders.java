package dev.signups.localstack.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where the demo's files are.
 *
 * @param project the top of the checkout
 * @param demo the demo's own folder, which holds nothing that a later run needs
 */
record Folders(Path project, Path demo) {

    static Folders of(Path infra) {
        return of(infra, infra.resolve(".demo"));
    }

    static Folders of(Path infra, Path demo) {
        return new Folders(infra.resolve("..").toAbsolutePath().normalize(), demo);
    }

    Path logs() {
        return demo.resolve("logs");
    }

    Path log(Member member) {
        return logs().resolve(member.label() + ".log");
    }

    Path freshData() {
        return demo.resolve("data");
    }

    /** The services' unpacked jars. */
    Path applications() {
        return demo.resolve("applications");
    }

    StateFile state() {
        return new StateFile(demo.resolve("state"));
    }

    Path jar(Member service) {
        return project.resolve(service.module()).resolve("target").resolve(service.module() + "-0.1.0-SNAPSHOT.jar");
    }

    static void delete(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
