package dev.signups.localstack.forward;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Passes TCP connections on to any replica of a service that accepts them. Compose can give a port of the host to one
 * container alone; with this in between, the port stays where it is however many replicas there are and whichever dies.
 */
public final class Forward implements AutoCloseable {

    private static final int CONNECT_MILLIS = 1000;

    private final ServerSocket server;
    private final String host;
    private final int port;

    /**
     * Starts to listen and to forward.
     *
     * @param listen port on all addresses, 0 for any free one
     * @param host name whose addresses are the replicas
     * @param port the replicas' port
     */
    Forward(int listen, String host, int port) throws IOException {
        this.server = new ServerSocket(listen);
        this.host = host;
        this.port = port;
        Thread.ofPlatform().name("forward-" + server.getLocalPort()).start(this::accept);
    }

    /** Each argument is a route, {@code PORT=HOST:PORT}. */
    public static void main(String[] routes) throws IOException {
        // replicas come and go
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        for (String route : routes) {
            String[] parts = route.split("[=:]", 3);
            new Forward(Integer.parseInt(parts[0]), parts[1], Integer.parseInt(parts[2]));
        }
    }

    int listensAt() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // closed, or the client was gone before it was accepted
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket replica = connect()) {
            Thread back = Thread.ofVirtual().start(() -> copy(replica, client));
            copy(client, replica);
            back.join();
        } catch (IOException e) {
            // nobody there: the client sees its connection end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Socket connect() throws IOException {
        List<InetAddress> replicas = new ArrayList<>(Arrays.asList(InetAddress.getAllByName(host)));
        Collections.shuffle(replicas);
        IOException last = new IOException(host + " has no address");
        for (InetAddress replica : replicas) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(replica, port), CONNECT_MILLIS);
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // one side broke off; so does the other
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
