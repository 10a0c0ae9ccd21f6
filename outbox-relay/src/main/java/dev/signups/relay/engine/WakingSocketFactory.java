package dev.signups.relay.engine;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets on which one can wait for the next byte without reading it through the driver, whose own look-and-return read
 * would have to be repeated at intervals.
 *
 * <p>Public because the driver makes it. Each replication connection uses a name of its own, given as the driver's
 * {@code socketFactoryArg}, under which its newest socket is found.
 */
public final class WakingSocketFactory extends SocketFactory {

    private static final int WAIT_MILLIS = 200;
    private static final Map<String, Waiter> WAITERS = new ConcurrentHashMap<>();

    /** The connection that a thread read from last, while a waiter looks for its own. */
    private static final ThreadLocal<PeekingStream> LAST_READ = new ThreadLocal<>();

    private final String name;

    /** @param name the connection's name */
    public WakingSocketFactory(String name) {
        this.name = name;
    }

    static Waiter open(String name) {
        return WAITERS.computeIfAbsent(name, _ -> new Waiter());
    }

    static @Nullable Waiter waiter(@Nullable String name) {
        return name == null ? null : WAITERS.get(name);
    }

    static void close(String name) {
        WAITERS.remove(name);
    }

    @Override
    public Socket createSocket() {
        return new WakingSocket(WAITERS.get(name));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new java.net.InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new java.net.InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new java.net.InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new java.net.InetSocketAddress(host, port));
    }

    private Socket connected(java.net.SocketAddress address) throws IOException {
        Socket socket = createSocket();
        socket.connect(address);
        return socket;
    }

    /**
     * Waits for bytes on the connection that the calling thread read from last when it called {@link #attach()}: the
     * driver opens several with the same properties, and only the one that answers START_REPLICATION is meant.
     */
    static final class Waiter {

        private volatile @Nullable PeekingStream stream;

        void detach() {
            stream = null;
        }

        void attach() {
            stream = LAST_READ.get();
            LAST_READ.remove();
        }

        /** Whether bytes came before the wait was over; also true where there is nothing to wait on. */
        boolean await() {
            PeekingStream current = stream;
            return current == null || current.awaitByte();
        }
    }

    private static final class WakingSocket extends Socket {

        private final @Nullable Waiter waiter;
        private @Nullable PeekingStream stream;

        WakingSocket(@Nullable Waiter waiter) {
            this.waiter = waiter;
        }

        @Override
        public synchronized InputStream getInputStream() throws IOException {
            if (stream == null) {
                stream = new PeekingStream(this, super.getInputStream(), waiter);
            }
            return stream;
        }
    }

    /** Holds at most one byte that was read while waiting. Read by one thread: the one that streams. */
    private static final class PeekingStream extends FilterInputStream {

        private final Socket socket;
        private final @Nullable Waiter waiter;
        private int peeked = -1;

        PeekingStream(Socket socket, InputStream in, @Nullable Waiter waiter) {
            super(in);
            this.socket = socket;
            this.waiter = waiter;
        }

        synchronized boolean awaitByte() {
            if (peeked >= 0) {
                return true;
            }
            try {
                int timeout = socket.getSoTimeout();
                socket.setSoTimeout(WAIT_MILLIS);
                try {
                    peeked = in.read();
                } finally {
                    socket.setSoTimeout(timeout);
                }
                // the end of the stream is for the driver to find
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            } catch (IOException e) {
                return true;
            }
        }

        @Override
        public synchronized int read() throws IOException {
            if (peeked >= 0) {
                int value = peeked;
                peeked = -1;
                return value;
            }
            return in.read();
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
            if (waiter != null && waiter.stream == null) {
                LAST_READ.set(this);
            }
            if (peeked < 0 || length == 0) {
                return in.read(bytes, offset, length);
            }
            bytes[offset] = (byte) peeked;
            peeked = -1;
            int more = length > 1 && in.available() > 0 ? in.read(bytes, offset + 1, length - 1) : 0;
            return 1 + Math.max(more, 0);
        }

        @Override
        public synchronized int available() throws IOException {
            return in.available() + (peeked >= 0 ? 1 : 0);
        }
    }
}
