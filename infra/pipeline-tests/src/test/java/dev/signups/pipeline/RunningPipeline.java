package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalKafka;
import dev.signups.localstack.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The four services on real servers, as {@code infra/demo} starts them, once for all tests of this module. */
final class RunningPipeline {

    static final List<String> SERVICES = List.of("signup-service", "outbox-relay", "email-consumer", "fake-email");

    private static final Map<String, String> PORT_SETTINGS = Map.of(
            "postgres", "POSTGRES_PORT",
            "kafka", "KAFKA_PORT",
            "signup-service", "SIGNUP_PORT",
            "outbox-relay", "OUTBOX_RELAY_PORT",
            "email-consumer", "EMAIL_CONSUMER_PORT",
            "fake-email", "FAKE_EMAIL_PORT");

    private static RunningPipeline shared;

    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path checkout;

    private RunningPipeline() throws IOException, InterruptedException {
        checkout = Files.createTempDirectory("pipeline");
        Files.createDirectory(checkout.resolve("infra"));
        for (String service : SERVICES) {
            Files.createSymbolicLink(
                    checkout.resolve(service), Path.of("../..", service).toRealPath());
        }
        PORT_SETTINGS.keySet().forEach(member -> ports.put(member, Ports.free()));
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
        demo("--detach");
        // ordinary answers, at once: how slow and broken a provider may be is tested elsewhere
        send("fake-email", "PUT", "/api/settings", "{\"latencyMinMs\":0,\"latencyMaxMs\":5,\"failureRate\":0}");
    }

    static synchronized RunningPipeline get() throws IOException, InterruptedException {
        if (shared == null) {
            shared = new RunningPipeline();
        }
        return shared;
    }

    String bootstrapServers() {
        return "127.0.0.1:" + ports.get("kafka");
    }

    /** Signs somebody up and returns the user's id. */
    String signUp(String email) {
        return JsonMapper.shared()
                .readTree(send("signup-service", "POST", "/api/users", """
                        {"email": "%s", "firstName": "Grace", "lastName": "Hopper"}""".formatted(email)))
                .path("id")
                .asString();
    }

    JsonNode sends() {
        return JsonMapper.shared().readTree(send("fake-email", "GET", "/api/sends", ""));
    }

    String metrics(String service) {
        return send(service, "GET", "/actuator/prometheus", "");
    }

    /** One statement in database {@code signup}, as the role that owns it. */
    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + ports.get("postgres") + "/signup", "signup", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What Kafka's own tool says of a group, a line per partition with single spaces. */
    List<String> describeGroup(String group) throws IOException {
        Process tool = new ProcessBuilder(
                        java(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        LocalKafka.classPath(),
                        "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
                        "--bootstrap-server",
                        bootstrapServers(),
                        "--describe",
                        "--group",
                        group)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(group))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    private String send(String service, String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(service) + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(path + ": " + response.body()).isBetween(200, 299);
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void demo(String argument) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Ddemo.infra=" + checkout.resolve("infra"),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.signups.localstack.demo.Demo",
                argument));
        Path output = checkout.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        ports.forEach((member, port) -> builder.environment().put(PORT_SETTINGS.get(member), port.toString()));
        Process process = builder.start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void stop() {
        try {
            demo("--stop");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
