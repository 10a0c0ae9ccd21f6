package dev.signups.service.stage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import tools.jackson.databind.json.JsonMapper;

/** A provider over HTTP whose every answer the test decides; it writes down which addresses it accepted, in order. */
final class StandInProvider implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private volatile ToIntFunction<String> answer = address -> 202;

    StandInProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/api/emails", this::handle);
        server.start();
    }

    /** The setting that leads a service here. */
    String setting() {
        return "signup.stage.provider.url=http://127.0.0.1:"
                + server.getAddress().getPort();
    }

    /** From an address to a status; it may block for as long as the provider is to take. */
    void answers(ToIntFunction<String> how) {
        answer = how;
    }

    List<String> accepted() {
        return accepted;
    }

    List<String> requested() {
        return requested;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String to = JsonMapper.shared()
                    .readTree(exchange.getRequestBody())
                    .get("to")
                    .stringValue();
            requested.add(to);
            int status = answer.applyAsInt(to);
            if (status == 202) {
                accepted.add(to);
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
