package dev.signups.service;

import dev.signups.localstack.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service on a database and a port of its own, and a client for it. */
public final class RunningService implements AutoCloseable {

    public static final String OPERATOR_PASSWORD = "correct horse battery";
    public static final String[] OPERATOR = {"Authorization", basic("operator", OPERATOR_PASSWORD)};

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final ConfigurableApplicationContext context;
    private final Postgres postgres;
    private final String database;

    private RunningService(ConfigurableApplicationContext context, Postgres postgres, String database) {
        this.context = context;
        this.postgres = postgres;
        this.database = database;
    }

    public static RunningService start(Postgres postgres, String... settings) {
        return startOn(postgres, postgres.createDatabase("signup"), settings);
    }

    public static RunningService startOn(Postgres postgres, String database, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--DB_URL=" + postgres.jdbcUrl(database),
                "--OPERATOR_PASSWORD=" + OPERATOR_PASSWORD,
                "--signup.outbox.purge-interval=1h"));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new RunningService(
                new SpringApplicationBuilder(SignupApplication.class).run(arguments.toArray(String[]::new)),
                postgres,
                database);
    }

    public static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    public static String signup(String email) {
        return """
                {"email": "%s", "firstName": "Grace", "lastName": "Hopper"}""".formatted(email);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public ApplicationContext context() {
        return context;
    }

    public String database() {
        return database;
    }

    public URI uri(String path) {
        return URI.create(
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    public HttpResponse<String> post(String json, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return send("POST", "/api/users", BodyPublishers.ofString(json), all.toArray(String[]::new));
    }

    public HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    public HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** First column of the first row, as superuser. */
    public String query(String sql) {
        return postgres.query(database, sql);
    }

    public void execute(String sql) {
        postgres.execute(database, sql);
    }

    public long rows(String table) {
        return Long.parseLong(query("select count(*) from " + table));
    }

    @Override
    public void close() {
        context.close();
    }
}
