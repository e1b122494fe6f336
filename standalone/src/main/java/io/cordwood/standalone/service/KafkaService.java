package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/** The embedded Kafka: one KRaft node that is both broker and controller. */
final class KafkaService {
    static final String NAME = "kafka";
    static final String CONTROLLER = "kafka-controller";
    private static final String MODULE = "standalone/broker";
    private static final int HEAP_MEGABYTES = 512;
    /** An open transaction blocks its partition for this long: no later record is archived or visible. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(1);

    private static final LogConfiguration LOG = new LogConfiguration(
            NAME, "WARN", Map.of("kafka.server.KafkaRaftServer", "INFO", "kafka.log.LogManager", "INFO"));

    private KafkaService() {}

    static ServiceSpec spec(Home home, Installation installation, Ports ports, Topics topics) {
        return new ServiceSpec(
                NAME,
                ports.address(NAME),
                Set.of(),
                () -> command(home, installation, ports),
                topics::brokerAnswers,
                topics::create,
                Duration.ofSeconds(30));
    }

    private static ServiceSpec.Command command(Home home, Installation installation, Ports ports)
            throws IOException, InterruptedException {
        Path data = home.data().resolve(NAME);
        Path configuration = home.configuration().resolve("kafka.properties");
        AtomicFiles.write(configuration, configuration(ports, data));
        if (!Files.exists(data.resolve("meta.properties"))) {
            format(home, installation, configuration);
        }
        return java(home)
                .metrics(MetricsAgent.BROKER, installation, ports)
                .argument(configuration.toString())
                .run(installation, MODULE, "kafka.Kafka");
    }

    private static JavaCommand java(Home home) {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                .log4j(LOG);
    }

    private static void format(Home home, Installation installation, Path configuration)
            throws IOException, InterruptedException {
        List<String> command = java(home)
                .option("-XX:TieredStopAtLevel=1")
                .argument("format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", configuration.toString())
                .run(installation, MODULE, "kafka.tools.StorageTool")
                .arguments();
        Process format = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log(NAME).toFile()))
                .start();
        if (format.waitFor() != 0) {
            throw new IOException("Kafka's storage could not be formatted");
        }
    }

    private static String configuration(Ports ports, Path data) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=%1$s
                listeners=PLAINTEXT://%2$s,CONTROLLER://%1$s
                advertised.listeners=PLAINTEXT://%2$s
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=PLAINTEXT
                log.dirs=%3$s
                auto.create.topics.enable=false
                message.max.bytes=%4$d
                replica.fetch.max.bytes=%4$d
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                transaction.max.timeout.ms=%5$d
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                """.formatted(
                        ports.address(CONTROLLER),
                        ports.address(NAME),
                        data,
                        Topics.LARGEST_BATCH_BYTES,
                        LONGEST_TRANSACTION.toMillis());
    }
}
