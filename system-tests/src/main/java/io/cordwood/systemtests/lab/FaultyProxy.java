package io.cordwood.systemtests.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes TCP connections on, and is told to do so badly. Thread-safe. */
public final class FaultyProxy implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final long POLL_MILLIS = 50;

    private static final byte[] SEND_AGAIN = """
            HTTP/1.1 503 Service Unavailable\r
            Retry-After: 1\r
            Content-Length: 0\r
            Connection: close\r
            \r
            """.getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Weather weather = Weather.FAIR;

    /** How the proxy treats bytes. */
    public enum Weather {
        FAIR,
        /** Each piece waits before it is passed on. */
        SLOW,
        /** Nothing is passed on; connections stay open. */
        SILENT,
        /** Connections are cut, and new ones refused. */
        CUT,
        /** Requests arrive; their connections are cut when the answer comes. */
        ANSWERS_LOST,
        /** Requests of HTTP arrive; when the answer comes, the client is told instead to send them again. */
        IMPATIENT_GATEWAY
    }

    /**
     * Listens on a free loopback port.
     *
     * @param target loopback port that connections are passed on to
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
        Socket upstream = new Socket();
        try {
            if (weather == Weather.CUT) {
                throw new IOException("cut");
            }
            upstream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5000);
            sockets.add(upstream);
        } catch (IOException e) {
            cut(client); // As its peer is gone, so is it.
            sockets.remove(client);
            return;
        }
        Thread.ofVirtual().start(() -> pass(client, upstream, false));
        pass(upstream, client, true);
    }

    private void pass(Socket from, Socket to, boolean isAnswer) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                suffer(isAnswer);
                if (weather == Weather.IMPATIENT_GATEWAY && isAnswer) {
                    out.write(SEND_AGAIN);
                    to.shutdownOutput();
                    in.transferTo(OutputStream.nullOutputStream()); // Until the client has read it and hangs up.
                    return;
                }
                out.write(buffer, 0, length);
                out.flush();
            }
        } catch (IOException e) {
            // The end of one side, wanted or not, is the end of the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cut(from);
            cut(to);
            sockets.remove(from);
            sockets.remove(to);
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
            throw new IOException("the answer is lost");
        }
    }

    /** Resets the connection, unless the other direction has done so. */
    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (SocketException e) {
            // It is closed: setting the linger time found that out.
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
