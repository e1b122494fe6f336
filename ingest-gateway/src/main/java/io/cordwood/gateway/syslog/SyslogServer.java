package io.cordwood.gateway.syslog;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.LineBatches;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
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
    private static final int MAX_CONNECTIONS = 4096;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_ROWS = 1000;
    private static final int MAX_DATAGRAM_BYTES = 64 << 10;
    private static final Duration MAX_IDLE = Duration.ofHours(1);
    private static final Duration MAX_RETRY_PAUSE = Duration.ofSeconds(5);

    private final Intake intake;
    private final ServerSocket server;
    private final Optional<DatagramSocket> datagrams;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private SyslogServer(Intake intake, ServerSocket server, Optional<DatagramSocket> datagrams) {
        this.intake = requireNonNull(intake, "intake is null");
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
            Intake intake, String host, int port, OptionalInt udpPort, Optional<SSLContext> tls) throws IOException {
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
        SyslogServer started = new SyslogServer(intake, socket, datagrams);
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
                Socket socket = server.accept();
                connections.add(socket);
                threads.execute(() -> serve(socket));
            } catch (SocketException e) {
                free.release();
                if (!server.isClosed()) {
                    LOG.warn("A connection of syslog could not be taken", e);
                }
            } catch (IOException e) {
                free.release();
                LOG.warn("A connection of syslog could not be taken", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream in = socket.getInputStream()) {
            socket.setSoTimeout(Math.toIntExact(MAX_IDLE.toMillis()));
            SyslogFrames frames = new SyslogFrames(in);
            Rows rows = new Rows();
            Optional<byte[]> message = frames.next();
            while (message.isPresent()) {
                rows.add(message.get());
                if (rows.isFull() || !frames.hasMoreAtHand()) {
                    rows.ship();
                }
                message = frames.next();
            }
            rows.ship();
        } catch (IOException e) {
            LOG.debug("A connection of syslog ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RefusedException e) {
            LOG.warn("A connection of syslog was closed: {}", e.getMessage());
        } finally {
            connections.remove(socket);
            free.release();
        }
    }

    private void receive(DatagramSocket udp) {
        Rows rows = new Rows();
        DatagramPacket packet = new DatagramPacket(new byte[MAX_DATAGRAM_BYTES], MAX_DATAGRAM_BYTES);
        while (!udp.isClosed()) {
            try {
                packet.setLength(MAX_DATAGRAM_BYTES);
                udp.receive(packet);
                rows.add(Arrays.copyOf(packet.getData(), packet.getLength()));
                rows.ship();
            } catch (IOException e) {
                if (!udp.isClosed()) {
                    LOG.warn("A datagram of syslog could not be taken", e);
                }
            } catch (RefusedException e) {
                LOG.debug("A datagram of syslog was not taken", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whose rows. */
    private record Sender(Optional<String> authorization, Optional<String> tenant) {}

    /** Rows that were read and not shipped yet. Not thread-safe. */
    private final class Rows {
        private final SyslogMessage parser = new SyslogMessage(Clock.systemUTC());
        private final Map<Sender, LineBatches> batches = new LinkedHashMap<>();
        private int bytes;
        private int count;
        /** What the connection's messages bore last: later ones need not repeat it. */
        private Sender last = new Sender(Optional.empty(), Optional.empty());

        void add(byte[] message) {
            parser.read(message, 0, message.length);
            if (parser.key().isPresent() || parser.tenant().isPresent()) {
                last = new Sender(parser.key().map(key -> "Bearer " + key), parser.tenant());
            }
            batches.computeIfAbsent(last, any -> new LineBatches()).add(parser.row(), 0, parser.rowLength());
            bytes += parser.rowLength();
            count++;
        }

        boolean isFull() {
            return bytes >= BATCH_BYTES || count >= BATCH_ROWS;
        }

        /** @throws RefusedException if the sender may not send these rows, now or later */
        void ship() throws InterruptedException {
            for (Map.Entry<Sender, LineBatches> batch : batches.entrySet()) {
                ship(batch.getKey(), batch.getValue());
            }
            batches.clear();
            bytes = 0;
            count = 0;
        }

        private void ship(Sender sender, LineBatches rows) throws InterruptedException {
            var payloads = Map.of(STREAM, rows.finish());
            while (true) {
                try (Intake.Delivery delivery = intake.begin(DOOR, sender.authorization(), sender.tenant())) {
                    delivery.requireStream(STREAM);
                    delivery.grow(payloads.get(STREAM).stream()
                            .mapToInt(payload -> payload.value().length)
                            .sum());
                    delivery.ship(payloads, 0);
                    return;
                } catch (RefusedException e) {
                    intake.refused(DOOR, e.reason());
                    if (e.retryAfter().isEmpty() || server.isClosed()) {
                        throw e;
                    }
                    Duration pause = e.retryAfter().get();
                    Thread.sleep(pause.compareTo(MAX_RETRY_PAUSE) < 0 ? pause : MAX_RETRY_PAUSE);
                }
            }
        }
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
