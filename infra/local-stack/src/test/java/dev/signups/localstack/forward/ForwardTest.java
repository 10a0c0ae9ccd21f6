package dev.signups.localstack.forward;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ForwardTest {

    @Test
    void passesRequestsOnAndAnswersBack() throws IOException {
        HttpServer replica = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        replica.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        replica.start();
        try (Forward forward = new Forward(0, "localhost", replica.getAddress().getPort())) {
            assertThat(ask(forward.listensAt())).startsWith("HTTP/1.1 200").endsWith("hello");
        } finally {
            replica.stop(0);
        }
    }

    @Test
    void endsTheConnectionWhereNoReplicaAccepts() throws IOException {
        int nobody;
        try (var closed = new java.net.ServerSocket(0)) {
            nobody = closed.getLocalPort();
        }
        try (Forward forward = new Forward(0, "localhost", nobody);
                Socket client = new Socket("localhost", forward.listensAt())) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static String ask(int port) throws IOException {
        try (Socket client = new Socket("localhost", port)) {
            client.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
