package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.signups.localstack.LocalStack;
import dev.signups.service.RunningService;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code load-tests/signup.js} against the real service: its own code, with stand-ins for k6's two modules. */
class K6ScriptIT {

    private static final Path LOAD_TESTS = Path.of("../load-tests");

    private static RunningService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        assumeTrue(nodeIsThere(), "Node.js is not installed");
        service = RunningService.start(LocalStack.postgres());
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    @Test
    void signsUpAnotherUserAtEachIteration() throws Exception {
        JsonNode result = run(Map.of("BASE_URL", service.uri("").toString(), "RATE", "150", "DURATION", "60s"));

        assertThat(result.get("checks"))
                .hasSize(6)
                .allMatch(check -> check.get("passed").booleanValue());
        assertThat(service.query("select count(distinct email) from users where email like 'k6-%@example.org'"))
                .isEqualTo("6");
        JsonNode scenario = result.get("options").get("scenarios").get("signup");
        assertThat(scenario.get("executor").stringValue()).isEqualTo("constant-arrival-rate");
        assertThat(scenario.get("rate").intValue()).isEqualTo(150);
        assertThat(scenario.get("duration").stringValue()).isEqualTo("60s");
        assertThat(scenario.get("preAllocatedVUs").intValue()).isEqualTo(600);
        assertThat(scenario.get("maxVUs").intValue()).isEqualTo(2400);
        assertThat(result.get("summary").stringValue())
                .isEqualTo("rate=150 requests=9000 failed=3 dropped=0 p50_ms=2.50 p95_ms=4.00 p99_ms=9.25"
                        + " max_vus=600 per_s=150.0\n");
    }

    @Test
    void failsItsCheckWhenTheAnswerIsNot201() throws Exception {
        // the operator's page wants a login
        JsonNode result = run(Map.of("BASE_URL", service.uri("/users").toString(), "RATE", "1"));

        assertThat(result.get("checks"))
                .hasSize(6)
                .noneMatch(check -> check.get("passed").booleanValue());
    }

    private JsonNode run(Map<String, String> environment) throws IOException, InterruptedException {
        Files.copy(LOAD_TESTS.resolve("signup.js"), folder.resolve("signup.mjs"));
        Files.copy(LOAD_TESTS.resolve("src/test/node/run.mjs"), folder.resolve("run.mjs"));
        Path module = Files.createDirectories(folder.resolve("node_modules/k6"));
        for (String file : new String[] {"package.json", "index.mjs", "http.mjs"}) {
            Files.copy(LOAD_TESTS.resolve("src/test/node/k6").resolve(file), module.resolve(file));
        }
        File output = folder.resolve("output").toFile();
        ProcessBuilder builder = new ProcessBuilder("node", "run.mjs")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().putAll(environment);
        Process node = builder.start();
        String printed = "";
        try {
            assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            node.destroyForcibly();
            printed = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        }
        assertThat(node.exitValue()).as(printed).isZero();
        return JsonMapper.shared().readTree(printed);
    }

    private static boolean nodeIsThere() {
        try {
            return new ProcessBuilder("node", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
