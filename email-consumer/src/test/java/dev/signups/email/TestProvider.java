package dev.signups.email;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider over real HTTP that does what a test tells it, remembers idempotency keys, and keeps the books: the judge
 * of every test.
 */
public final class TestProvider implements AutoCloseable {

    static {
        // else every answer waits for a delayed acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
        System.setProperty("sun.net.httpserver.idleInterval", "300");
    }

    /** One request. */
    public record Call(
            long nanos,
            String key,
            String to,
            String subject,
            String text,
            String html,
            Optional<String> authorization) {}

    /** What to do with a request. */
    public interface Behaviour {
        Answer answer(Call call, int callsWithThisKey) throws InterruptedException;
    }

    /** What the provider does at last. */
    public sealed interface Answer {
        /** Takes it. */
        record Accept() implements Answer {}

        /** Takes it, then answers an error. */
        record AcceptThen(int status) implements Answer {}

        /** Takes it, then closes the connection without an answer. */
        record AcceptThenReset() implements Answer {}

        /** Takes it and does not answer for this long. */
        record AcceptThenHang(Duration time) implements Answer {}

        /** Does not take it. */
        record Refuse(int status, Map<String, String> headers) implements Answer {}
    }

    private final JsonMapper json = new JsonMapper();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, AtomicInteger> callsByKey = new ConcurrentHashMap<>();
    private final Map<String, String> acceptedKeys = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> acceptedByAddress = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger replayed = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private volatile Behaviour behaviour = (call, n) -> new Answer.Accept();
    private HttpServer server;
    private final int port;

    private TestProvider() {
        server = listen(0);
        port = server.getAddress().getPort();
    }

    public static TestProvider start() {
        return new TestProvider();
    }

    public TestProvider behave(Behaviour next) {
        behaviour = next;
        return this;
    }

    /** Takes everything after a latency between the two. */
    public TestProvider slow(Duration least, Duration most) {
        return behave((call, n) -> {
            pause(least.toMillis() + ThreadLocalRandom.current().nextLong(most.toMillis() - least.toMillis() + 1));
            return new Answer.Accept();
        });
    }

    public static Answer refuse(int status, String... headers) {
        Map<String, String> map = new java.util.HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            map.put(headers[i], headers[i + 1]);
        }
        return new Answer.Refuse(status, map);
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public List<Call> calls() {
        return new ArrayList<>(calls);
    }

    public int requests() {
        return calls.size();
    }

    /** Addresses that got the e-mail. */
    public int acceptedUnique() {
        return acceptedByAddress.size();
    }

    /** E-mails too many. */
    public int duplicates() {
        return acceptedByAddress.values().stream().mapToInt(n -> n.get() - 1).sum();
    }

    /** Answers from memory. */
    public int replayed() {
        return replayed.get();
    }

    public int inFlight() {
        return inFlight.get();
    }

    public int mostInFlight() {
        return mostInFlight.get();
    }

    /** Nobody listens any more. */
    public void down() {
        server.stop(0);
    }

    public void up() {
        server = listen(port);
    }

    /** Waits, unless the provider is closed meanwhile. */
    public void pause(long millis) throws InterruptedException {
        if (closed.await(millis, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("closed");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        executor.shutdownNow();
    }

    private HttpServer listen(int wanted) {
        try {
            HttpServer created =
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 10_000);
            created.setExecutor(executor);
            created.createContext("/api/emails", this::handle);
            created.start();
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try {
            JsonNode body = json.readTree(exchange.getRequestBody().readAllBytes());
            String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            Call call = new Call(
                    System.nanoTime(),
                    key,
                    body.path("to").asString(""),
                    body.path("subject").asString(""),
                    body.path("text").asString(""),
                    body.path("html").asString(""),
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
            calls.add(call);
            int n = callsByKey.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
            if (acceptedKeys.containsKey(key)) {
                replayed.incrementAndGet();
                respond(exchange, 202, Map.of(), accepted(key));
                return;
            }
            carryOut(exchange, call, behaviour.answer(call, n));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
            exchange.close();
        }
    }

    private void carryOut(HttpExchange exchange, Call call, Answer answer) throws IOException, InterruptedException {
        switch (answer) {
            case Answer.Accept accept -> {
                accept(call);
                respond(exchange, 202, Map.of(), accepted(call.key));
            }
            case Answer.AcceptThen then -> {
                accept(call);
                respond(exchange, then.status, Map.of(), problem(then.status));
            }
            case Answer.AcceptThenReset reset -> accept(call);
            case Answer.AcceptThenHang hang -> {
                accept(call);
                pause(hang.time.toMillis());
            }
            case Answer.Refuse refuse -> respond(exchange, refuse.status, refuse.headers, problem(refuse.status));
        }
    }

    private void accept(Call call) {
        if (acceptedKeys.putIfAbsent(call.key, call.to) == null) {
            acceptedByAddress.computeIfAbsent(call.to, k -> new AtomicInteger()).incrementAndGet();
        }
    }

    private static String accepted(String key) {
        return "{\"messageId\":\"m-" + key.hashCode() + "\"}";
    }

    private static String problem(int status) {
        return "{\"type\":\"about:blank\",\"title\":\"as told\",\"status\":" + status + "}";
    }

    private static void respond(HttpExchange exchange, int status, Map<String, String> headers, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
