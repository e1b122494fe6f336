package io.cordwood.systemtests.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** A TCP proxy that can delay, stop, cut or repeat traffic. Thread-safe. */
public final class FaultyProxy implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final long POLL_MILLIS = 50;

    private static final int LINE = 1 << 10;
    private static final Pattern REQUEST = Pattern.compile("[A-Z]+ /\\S* HTTP/1\\.1\r\n");

    /** The request line of a commit, in Iceberg's REST protocol. */
    private static final Pattern COMMIT = Pattern.compile("POST /v1/namespaces/[^/ ]+/tables/[^/ ]+ HTTP/1\\.1\r\n");

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Weather weather = Weather.FAIR;

    /** How the proxy treats bytes. */
    public enum Weather {
        FAIR,
        /** Each chunk waits before it is forwarded. */
        SLOW,
        /** Nothing is forwarded; connections stay open. */
        SILENT,
        /** Connections are cut, and new ones refused. */
        CUT,
        /** Requests arrive; their connections are cut when the response comes. */
        ANSWERS_LOST,
        /** Each commit to a table is sent twice; the client gets the second response. */
        REPEATING_GATEWAY
    }

    /**
     * Listens on a free loopback port.
     *
     * @param target loopback port to forward connections to
     */
    FaultyProxy(int target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    public void weather(Weather now) {
        weather = now;
        if (now == Weather.CUT) {
            sockets.forEach(FaultyProxy::cut);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    System.err.println("proxy: " + e.getMessage());
                }
            }
        }
    }

    private void connect(Socket client) {
        Socket upstream;
        try {
            if (weather == Weather.CUT) {
                throw new IOException("cut");
            }
            upstream = connectToTarget();
        } catch (IOException e) {
            cut(client); // Its peer is gone, so this connection is closed too.
            sockets.remove(client);
            return;
        }
        Connection connection = new Connection(client, upstream);
        Thread.ofVirtual().start(() -> pass(connection, connection::passRequests));
        pass(connection, connection::passAnswers);
    }

    private Socket connectToTarget() throws IOException {
        Socket upstream = new Socket();
        upstream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5000);
        sockets.add(upstream);
        return upstream;
    }

    private void pass(Connection connection, Direction direction) {
        try {
            direction.pass();
        } catch (IOException e) {
            // When one side ends, for any reason, the other ends too.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connection.cut();
        }
    }

    /** One direction of a connection. */
    @FunctionalInterface
    private interface Direction {
        /** Forwards bytes until the end. */
        void pass() throws IOException, InterruptedException;
    }

    /**
     * A connection between a client and the target. One thread forwards each direction; a client waits for the response
     * to its request.
     */
    private final class Connection {
        private final Socket client;
        private volatile Socket upstream;
        /** The current request, if it is a commit; null otherwise. */
        private volatile ByteArrayOutputStream commit;

        Connection(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void passRequests() throws IOException, InterruptedException {
            byte[] buffer = new byte[BUFFER];
            InputStream in = client.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                suffer(false);
                see(buffer, length);
                send(upstream, buffer, length);
            }
        }

        void passAnswers() throws IOException, InterruptedException {
            byte[] buffer = new byte[BUFFER];
            for (int length = read(buffer); length >= 0; length = read(buffer)) {
                suffer(true);
                ByteArrayOutputStream request = commit;
                if (weather == Weather.REPEATING_GATEWAY && request != null) {
                    commit = null;
                    Socket first = upstream;
                    upstream = connectToTarget();
                    FaultyProxy.cut(first);
                    sockets.remove(first);
                    send(upstream, request.toByteArray(), request.size());
                } else {
                    send(client, buffer, length);
                }
            }
        }

        private int read(byte[] buffer) throws IOException {
            return upstream.getInputStream().read(buffer);
        }

        /** Keeps the bytes of a commit. A request begins with its request line, and no other data has such a line. */
        private void see(byte[] bytes, int length) {
            String begin = new String(bytes, 0, Math.min(length, LINE), StandardCharsets.US_ASCII);
            if (REQUEST.matcher(begin).lookingAt()) {
                commit = COMMIT.matcher(begin).lookingAt() ? new ByteArrayOutputStream() : null;
            }
            ByteArrayOutputStream request = commit;
            if (request != null) {
                request.write(bytes, 0, length);
            }
        }

        private static void send(Socket to, byte[] bytes, int length) throws IOException {
            OutputStream out = to.getOutputStream();
            out.write(bytes, 0, length);
            out.flush();
        }

        void cut() {
            for (Socket socket : List.of(client, upstream)) {
                FaultyProxy.cut(socket);
                sockets.remove(socket);
            }
        }
    }

    private void suffer(boolean isAnswer) throws IOException, InterruptedException {
        while (weather == Weather.SILENT) {
            Thread.sleep(POLL_MILLIS);
        }
        if (weather == Weather.SLOW) {
            Thread.sleep(300);
        }
        if (weather == Weather.ANSWERS_LOST && isAnswer) {
            throw new IOException("the response is lost");
        }
    }

    /** Resets the connection, unless the other direction has done so. */
    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (SocketException e) {
            // It is already closed, as setting the linger time showed.
        } catch (IOException e) {
            System.err.println("proxy: cannot close a connection: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(FaultyProxy::cut);
    }
}
