package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes syslog over TCP, or over TLS where senders need an API key; and over UDP, which loses messages by its nature.
 * Thread-safe.
 *
 * <p>The protocol has no answers. So a connection is read no further until Kafka has acknowledged what came: the sender
 * keeps the rest. What a sender had sent when a connection broke, it does not know to be lost.
 */
public final class SyslogServer implements AutoCloseable {
    /** The name in metrics. */
    private static final String DOOR = "syslog";

    private static final Logger LOG = LoggerFactory.getLogger(SyslogServer.class);
    private static final String STREAM = "logs";
    private static final int MAX_CONNECTIONS = 1024;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_ROWS = 1000;
    private static final int MAX_DATAGRAM_BYTES = 64 << 10;
    private static final Duration MAX_FIRST = Duration.ofSeconds(30);
    private static final Duration MAX_IDLE = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Pattern HTTP = Pattern.compile("[A-Z]+ \\S+ HTTP/\\d(\\.\\d)?");
    private static final Duration MAX_RETRY_PAUSE = Duration.ofSeconds(5);

    private final Intake intake;
    private final GatewayMetrics metrics;
    private final ServerSocket server;
    private final Optional<DatagramSocket> datagrams;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private SyslogServer(
            Intake intake, GatewayMetrics metrics, ServerSocket server, Optional<DatagramSocket> datagrams) {
        this.intake = requireNonNull(intake, "intake is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.server = requireNonNull(server, "server is null");
        this.datagrams = requireNonNull(datagrams, "datagrams is null");
    }

    /**
     * Starts to listen.
     *
     * @param port port for TCP; 0 for a free one
     * @param udpPort port for UDP; 0 for a free one; empty: none
     * @param tls what it proves itself with; empty: plain TCP
     * @throws IOException if it cannot listen on an address
     */
    public static SyslogServer start(
            Intake intake, GatewayMetrics metrics, String host, int port, OptionalInt udpPort, Optional<SSLContext> tls)
            throws IOException {
        metrics.announce(DOOR);
        ServerSocket socket =
                tls.isPresent() ? tls.get().getServerSocketFactory().createServerSocket() : new ServerSocket();
        socket.setReuseAddress(true);
        bind(() -> socket.bind(new InetSocketAddress(host, port)), host, port);
        Optional<DatagramSocket> datagrams = Optional.empty();
        if (udpPort.isPresent()) {
            DatagramSocket udp = new DatagramSocket(null);
            bind(() -> udp.bind(new InetSocketAddress(host, udpPort.getAsInt())), host, udpPort.getAsInt());
            datagrams = Optional.of(udp);
        }
        SyslogServer started = new SyslogServer(intake, metrics, socket, datagrams);
        Thread.ofPlatform().name("syslog-accept").daemon().start(started::accept);
        datagrams.ifPresent(
                udp -> Thread.ofPlatform().name("syslog-udp").daemon().start(() -> started.receive(udp)));
        return started;
    }

    @FunctionalInterface
    private interface Binding {
        void bind() throws IOException;
    }

    private static void bind(Binding binding, String host, int port) throws IOException {
        try {
            binding.bind();
        } catch (IOException e) {
            throw new IOException("Cannot listen on %s:%d for syslog: %s".formatted(host, port, e.getMessage()), e);
        }
    }

    /** {@code host:port} for TCP. */
    public String address() {
        return server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
    }

    /** The port for UDP, if there is one. */
    public OptionalInt udpPort() {
        return datagrams.map(udp -> OptionalInt.of(udp.getLocalPort())).orElse(OptionalInt.empty());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                free.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            try {
                Socket socket = server.accept();
                connections.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                free.release();
                if (!server.isClosed()) {
                    LOG.warn("A connection of syslog could not be taken", e);
                    pause();
                }
            }
        }
    }

    /** Too many open files do not become fewer at once. */
    private static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream in = socket.getInputStream();
                Rows rows = new Rows(true)) {
            socket.setSoTimeout(Math.toIntExact(MAX_FIRST.toMillis()));
            read(new SyslogFrames(in), rows, socket);
        } catch (IOException e) {
            LOG.debug("A connection of syslog ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RefusedException e) {
            LOG.warn("A connection of syslog was closed: {}", e.getMessage());
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("A connection of syslog failed", e);
        } finally {
            connections.remove(socket);
            free.release();
        }
    }

    private static void read(SyslogFrames frames, Rows rows, Socket socket) throws IOException, InterruptedException {
        try {
            Optional<byte[]> message = frames.next();
            if (message.isPresent() && isHttp(message.get())) {
                // A web page sends to any port
                return;
            }
            while (message.isPresent()) {
                rows.add(message.get());
                if (rows.isFull() || !frames.hasNextAtHand()) {
                    rows.ship();
                    rows.release();
                    frames.release();
                    frames.trust();
                    socket.setSoTimeout(Math.toIntExact(MAX_IDLE.toMillis()));
                }
                message = frames.next();
            }
        } finally {
            // Also those before a message that does not come to its end
            rows.ship();
        }
    }

    private static boolean isHttp(byte[] message) {
        return HTTP.matcher(new String(message, ISO_8859_1)).matches();
    }

    private void receive(DatagramSocket udp) {
        DatagramPacket packet = new DatagramPacket(new byte[MAX_DATAGRAM_BYTES], MAX_DATAGRAM_BYTES);
        while (!udp.isClosed()) {
            // Each comes from somebody else
            try (Rows rows = new Rows(false)) {
                packet.setLength(MAX_DATAGRAM_BYTES);
                udp.receive(packet);
                rows.add(Arrays.copyOf(packet.getData(), packet.getLength()));
                rows.ship();
            } catch (RefusedException e) {
                // It is counted; there may be thousands in a second
                LOG.debug("A datagram of syslog was not taken: {}", e.getMessage());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                if (!udp.isClosed()) {
                    LOG.warn("A datagram of syslog was not taken: {}", e.getMessage());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whose rows. */
    private record Sender(Optional<String> authorization, Optional<String> tenant) {}

    /** Rows of one sender that were read and are not shipped yet. Not thread-safe. */
    private final class Rows implements AutoCloseable {
        private final SyslogMessage parser = new SyslogMessage(Clock.systemUTC());
        private final boolean mayWait;
        /** What the connection's messages bore last: later ones need not repeat it. */
        private Sender sender = new Sender(Optional.empty(), Optional.empty());

        private Optional<Intake.Delivery> delivery = Optional.empty();
        private LineBatches rows = new LineBatches(Memory.countedElsewhere());
        private int bytes;
        private int count;

        /** @param mayWait whether nobody else's messages wait while a sender is above its quota or sends too much */
        Rows(boolean mayWait) {
            this.mayWait = mayWait;
        }

        /** Adds a message. If the sender may not send, it ends with that, and earlier rows of others are shipped. */
        void add(byte[] message) throws InterruptedException {
            parser.read(message, 0, message.length);
            if (parser.key().isPresent() || parser.tenant().isPresent()) {
                Sender next = new Sender(parser.key().map(key -> "Bearer " + key), parser.tenant());
                if (!next.equals(sender)) {
                    ship();
                    sender = next;
                }
            }
            if (delivery.isEmpty()) {
                delivery = Optional.of(patiently(this::begin));
            }
            hold(parser.rowLength());
            rows.add(parser.row(), 0, parser.rowLength());
            bytes += parser.rowLength();
            count++;
        }

        /** Ships what is there before it waits for memory: others may wait for what it holds. */
        private void hold(int more) throws InterruptedException {
            try {
                delivery.orElseThrow().grow(more);
                return;
            } catch (RefusedException e) {
                if (e.reason() != Reason.TOO_BUSY) {
                    throw e;
                }
            }
            ship();
            Intake.Delivery open = patiently(this::begin);
            delivery = Optional.of(open);
            patiently(() -> {
                open.grow(more);
                return open;
            });
        }

        private Intake.Delivery begin() throws InterruptedException {
            Intake.Delivery begun = intake.begin(DOOR, sender.authorization(), sender.tenant());
            try {
                begun.requireStream(STREAM);
                if (!mayWait) {
                    // One datagram at a time takes little of Kafka
                    begun.waitForNoOther();
                }
                return begun;
            } catch (RefusedException e) {
                begun.close();
                throw e;
            }
        }

        boolean isFull() {
            return bytes >= BATCH_BYTES || count >= BATCH_ROWS;
        }

        /** Ships what was added, however long Kafka takes. */
        void ship() throws InterruptedException {
            if (count > 0) {
                Map<String, List<Payload>> payloads = Map.of(STREAM, rows.finish());
                Intake.Delivery open = delivery.orElseThrow();
                patiently(() -> {
                    open.ship(payloads, 0);
                    return open;
                });
            }
            close();
        }

        /** Tries again while it is refused for now only: the sender keeps what it has not sent meanwhile. */
        private <T> T patiently(Attempt<T> attempt) throws InterruptedException {
            while (true) {
                try {
                    return attempt.run();
                } catch (RefusedException e) {
                    metrics.refused(DOOR, e.reason());
                    boolean isForNow = e.retryAfter().isPresent() && (mayWait || e.reason() == Reason.UNAVAILABLE);
                    if (!isForNow || server.isClosed()) {
                        throw e;
                    }
                    Duration pause = e.retryAfter().get();
                    Thread.sleep(pause.compareTo(MAX_RETRY_PAUSE) < 0 ? pause : MAX_RETRY_PAUSE);
                }
            }
        }

        /** Frees the memory of long messages, once they are shipped. */
        void release() {
            parser.release();
        }

        /** Drops what is not shipped. */
        @Override
        public void close() {
            delivery.ifPresent(Intake.Delivery::close);
            delivery = Optional.empty();
            rows = new LineBatches(Memory.countedElsewhere());
            bytes = 0;
            count = 0;
        }
    }

    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws InterruptedException;
    }

    /** Ends all connections after what is being shipped. */
    @Override
    public void close() {
        try {
            server.close();
            datagrams.ifPresent(DatagramSocket::close);
            for (Socket socket : connections) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.warn("A connection of syslog could not be closed", e);
        }
        threads.close();
    }
}
