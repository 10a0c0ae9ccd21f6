package dev.signups.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface. */
public final class Ports {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;

    private Ports() {}

    /**
     * A port that nobody listens on now; another process may take it before it is used. It is below those that the system
     * gives to outgoing connections: a server that is killed finds its port free when it comes back.
     */
    public static int free() {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // taken: another one
            }
        }
        throw new IllegalStateException("no port from " + LOWEST + " to " + HIGHEST + " can be listened on");
    }

    /** Whether somebody accepts connections there. */
    public static boolean isTaken(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
