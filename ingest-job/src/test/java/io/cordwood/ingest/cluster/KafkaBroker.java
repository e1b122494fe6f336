package io.cordwood.ingest.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** A real broker in a process of its own. */
final class KafkaBroker implements AutoCloseable {
    private final JavaProcess process;
    private final String address;

    private KafkaBroker(JavaProcess process, String address) {
        this.process = process;
        this.address = address;
    }

    static KafkaBroker start(Path home) throws Exception {
        Files.createDirectories(home);
        int port = freePort();
        int controllerPort = freePort();
        String address = "127.0.0.1:" + port;
        Path properties = home.resolve("server.properties");
        Files.writeString(properties, """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=127.0.0.1:%2$d
                listeners=PLAINTEXT://%1$s,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://%1$s
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                group.initial.rebalance.delay.ms=0
                auto.create.topics.enable=false
                """.formatted(address, controllerPort, home.resolve("data")));
        Path log = home.resolve("kafka.log");
        try (JavaProcess format = JavaProcess.start(
                log,
                "256m",
                "kafka.tools.StorageTool",
                List.of("format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", properties.toString()))) {
            if (format.await() != 0) {
                throw new IllegalStateException(format.log());
            }
        }
        JavaProcess process = JavaProcess.start(log, "512m", "kafka.Kafka", List.of(properties.toString()));
        awaitPort(process, port);
        return new KafkaBroker(process, address);
    }

    private static void awaitPort(JavaProcess process, int port) throws IOException, InterruptedException {
        Waiting.until("the broker listens", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(process.log());
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String log() throws IOException {
        return process.log();
    }

    String address() {
        return address;
    }

    @Override
    public void close() {
        process.close();
    }
}
