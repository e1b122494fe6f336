package io.cordwood.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A proxy between HTTP clients and a server on this machine that injects {@link HttpFaults}. It forwards requests
 * unchanged, so that their signatures stay valid. Thread-safe.
 */
public final class FaultyHttpProxy implements AutoCloseable {
    /** The fates of a request. */
    public enum Fate {
        PASSED,
        UNAVAILABLE,
        RESET_BEFORE,
        RESET_AFTER,
        TRUNCATED,
        SLOW
    }

    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1);
    private static final String SLOW_DOWN_BODY =
            "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";
    private static final String SLOW_DOWN =
            "HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n"
                    .formatted(SLOW_DOWN_BODY.length());

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<Fate, LongAdder> fates = new EnumMap<>(Fate.class);
    private final Random random;
    private volatile HttpFaults faults = HttpFaults.NONE;
    private volatile boolean closed;

    private FaultyHttpProxy(String host, int port, long seed) throws IOException {
        this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        this.host = host;
        this.port = port;
        this.random = new Random(seed);
        for (Fate fate : Fate.values()) {
            fates.put(fate, new LongAdder());
        }
    }

    /**
     * Starts a proxy without faults.
     *
     * @param address address of the server, {@code host:port}
     * @param seed decides which requests are hit
     */
    public static FaultyHttpProxy before(String address, long seed) throws IOException {
        int colon = address.lastIndexOf(':');
        FaultyHttpProxy proxy =
                new FaultyHttpProxy(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), seed);
        start("accept", proxy::accept);
        return proxy;
    }

    /** Its address for clients. */
    public String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Sets the faults from now on. */
    public void let(HttpFaults newFaults) {
        faults = newFaults;
    }

    /** Number of requests with this fate so far. */
    public long count(Fate fate) {
        return fates.get(fate).sum();
    }

    /** Number of requests so far. */
    public long requests() {
        return fates.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private void accept() throws IOException {
        while (!closed) {
            Socket client = listener.accept();
            open.add(client);
            start("serve", () -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket server = new Socket(host, port)) {
            open.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            InputStream fromClient = new BufferedInputStream(client.getInputStream());
            InputStream fromServer = new BufferedInputStream(server.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                Optional<HttpMessage> request = HttpMessage.read(fromClient);
                goesOn = request.isPresent() && exchange(request.get(), client, fromClient, server, fromServer);
            }
            open.remove(server);
        } finally {
            open.remove(client);
        }
    }

    /** @return whether the connection can be reused */
    private boolean exchange(
            HttpMessage request, Socket client, InputStream fromClient, Socket server, InputStream fromServer)
            throws IOException {
        HttpFaults now = faults;
        Fate fate = fate(now);
        fates.get(fate).increment();
        OutputStream toClient = client.getOutputStream();
        if (request.header("Expect").isPresent()) {
            toClient.write(CONTINUE);
        }
        byte[] body = request.body(fromClient);
        pause(now.latency().toMillis());
        switch (fate) {
            case UNAVAILABLE -> {
                // The response to HEAD has the length of a body, but no body.
                String answer = request.method().equals("HEAD") ? SLOW_DOWN : SLOW_DOWN + SLOW_DOWN_BODY;
                toClient.write(answer.getBytes(ISO_8859_1));
                return true;
            }
            case RESET_BEFORE -> {
                return reset(client);
            }
            case PASSED, RESET_AFTER, TRUNCATED, SLOW -> {
                OutputStream toServer = server.getOutputStream();
                toServer.write(request.without("Expect").bytes());
                toServer.write(body);
            }
        }
        HttpMessage answer = HttpMessage.read(fromServer).orElse(null);
        if (answer == null) {
            return false;
        }
        boolean hasBody = !request.method().equals("HEAD") && answer.status() != 204 && answer.status() != 304;
        byte[] answered = hasBody ? answer.body(fromServer) : new byte[0];
        return switch (fate) {
            case RESET_AFTER -> reset(client);
            case TRUNCATED -> {
                toClient.write(answer.bytes());
                toClient.write(answered, 0, answered.length / 2);
                toClient.flush();
                yield false;
            }
            default -> {
                toClient.write(answer.bytes());
                send(answered, toClient, fate == Fate.SLOW ? HttpFaults.SLOW_PARTS : 1);
                yield answer.header("Connection")
                        .filter("close"::equalsIgnoreCase)
                        .isEmpty();
            }
        };
    }

    private static void send(byte[] body, OutputStream out, int parts) throws IOException {
        for (int i = 0; i < parts; i++) {
            int from = (int) ((long) body.length * i / parts);
            int to = (int) ((long) body.length * (i + 1) / parts);
            out.write(body, from, to - from);
            out.flush();
            if (i + 1 < parts) {
                pause(HttpFaults.SLOW_PAUSE.toMillis());
            }
        }
    }

    private static boolean reset(Socket client) throws IOException {
        client.setSoLinger(true, 0);
        return false;
    }

    private Fate fate(HttpFaults now) {
        double draw;
        boolean before;
        synchronized (random) {
            draw = random.nextDouble();
            before = random.nextBoolean();
        }
        if (draw < now.unavailable()) {
            return Fate.UNAVAILABLE;
        }
        draw -= now.unavailable();
        if (draw < now.reset()) {
            return before ? Fate.RESET_BEFORE : Fate.RESET_AFTER;
        }
        draw -= now.reset();
        if (draw < now.truncated()) {
            return Fate.TRUNCATED;
        }
        return draw - now.truncated() < now.slow() ? Fate.SLOW : Fate.PASSED;
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /** A connection that breaks ends its thread: that is what connections do here. */
    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // The other side has gone, or the proxy is closed.
                    }
                },
                "faulty-http-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
