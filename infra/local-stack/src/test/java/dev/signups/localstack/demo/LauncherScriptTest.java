package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script itself, in a checkout made of stand-ins: a Maven that makes empty jars, a JDK that prints its arguments. */
class LauncherScriptTest {

    private static final List<String> MODULES =
            List.of("infra/local-stack", "signup-service", "outbox-relay", "email-consumer", "fake-email");

    private record Result(int exitCode, String output) {}

    @TempDir
    Path temporary;

    private Path root;
    private Path jdk;
    private Path maven;

    @BeforeEach
    void checkout() throws IOException {
        root = temporary.resolve("a check out");
        Files.createDirectories(root.resolve("infra/postgres"));
        Files.copy(Path.of("..", "demo"), root.resolve("infra/demo"));
        Files.copy(Path.of("..", "build.sh"), root.resolve("infra/build.sh"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        for (String module : MODULES) {
            Files.createDirectories(root.resolve(module).resolve("src/main/java"));
            Files.writeString(root.resolve(module).resolve("pom.xml"), "<project/>");
            Files.writeString(root.resolve(module).resolve("src/main/java/A.java"), "class A {}");
        }
        age(root);
        jdk = temporary.resolve("jdk 25");
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        program(jdk.resolve("bin/java"), "printf '%s|' \"$@\"; echo");
        program(jdk.resolve("bin/javac"), "exit 1");
        maven = temporary.resolve("fake mvn");
        StringBuilder make = new StringBuilder("echo BUILT; cd '" + root + "'\n");
        for (String module : MODULES) {
            String name = module.substring(module.lastIndexOf('/') + 1);
            make.append("mkdir -p %1$s/target; touch %1$s/target/%2$s-0.1.0-SNAPSHOT.jar\n".formatted(module, name));
        }
        make.append("echo /a/b.jar > infra/local-stack/target/launcher.classpath\n");
        program(maven, make.toString());
    }

    @Test
    void buildsWhatIsMissingAndOnlyOnce() throws IOException {
        assertThat(demo("--detach").output())
                .contains("BUILT")
                .contains("dev.signups.localstack.demo.Demo|--detach|")
                .contains("-Ddemo.infra=" + root.resolve("infra") + "|");
        assertThat(demo("--detach").output()).doesNotContain("BUILT");
    }

    @Test
    void buildsAgainWhenASourceIsNewer() throws IOException {
        demo();
        for (String file : List.of("pom.xml", "fake-email/pom.xml", "email-consumer/src/main/java/A.java")) {
            Files.setLastModifiedTime(
                    root.resolve(file), FileTime.from(Instant.now().plusSeconds(5)));
            assertThat(demo().output()).as(file).contains("BUILT");
            Files.setLastModifiedTime(
                    root.resolve(file), FileTime.from(Instant.now().minusSeconds(60)));
            assertThat(demo().output()).as(file).doesNotContain("BUILT");
        }
    }

    @Test
    void buildsAgainWhenASourceIsGone() throws IOException {
        demo();
        Path folder = root.resolve("fake-email/src/main/java");
        Files.delete(folder.resolve("A.java"));
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(demo().output()).contains("BUILT");
    }

    @Test
    void passesOnTheFailureOfABuild() throws IOException {
        program(maven, "echo no such symbol; exit 1");
        Result result = demo();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("no such symbol").contains("demo: the build failed");
    }

    @Test
    void saysWhatToInstallWhereThereIsNoMaven() throws IOException {
        Files.delete(maven);
        Result result = demo();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("Maven is needed");
    }

    @Test
    void takesNoOtherJdk() throws IOException {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
        assertThat(demo().output()).doesNotContain("-Ddemo.infra");
    }

    @Test
    void doesNotBuildToSayThatNothingRuns() throws IOException {
        assertThat(demo("--stop")).isEqualTo(new Result(0, "no demo is running\n"));
        assertThat(demo("--start", "kafka").exitCode()).isEqualTo(1);
    }

    @Test
    void helpsWithoutAnything() throws IOException {
        Files.delete(maven);
        Files.writeString(jdk.resolve("release"), "");
        Result result = demo("--help");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).contains("--data DIR", "--stage 1|2|3", "OUTBOX_RELAY_PORT (8083)");
    }

    private Result demo(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", root.resolve("infra/demo").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(temporary.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("MAVEN", maven.toString());
        builder.environment().put("HOME", temporary.toString());
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.onExit().join().exitValue(), output);
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void age(Path folder) throws IOException {
        FileTime past = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.toList()) {
                Files.setLastModifiedTime(path, past);
            }
        }
    }
}
