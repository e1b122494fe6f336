package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.KafkaClasses;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded Kafka: one KRaft node that is both broker and controller. */
final class KafkaService {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaService.class);
    static final String NAME = "kafka";
    static final String CONTROLLER = "kafka-controller";
    private static final String MODULE = "standalone/broker";
    private static final String LISTENER = "CLIENTS";
    private static final String OPEN =
            "listener.security.protocol.map=" + LISTENER + ":PLAINTEXT,CONTROLLER:PLAINTEXT\n";
    private static final int HEAP_MEGABYTES = 512;
    /** An open transaction blocks its partition for this long: no later record is archived or visible. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(1);
    /** A connection logs in again after this long. So a password that was replaced is of no use afterwards. */
    static final Duration LONGEST_LOGIN = Duration.ofHours(1);

    private static final LogConfiguration LOG = new LogConfiguration(
            NAME, "WARN", Map.of("kafka.server.KafkaRaftServer", "INFO", "kafka.log.LogManager", "INFO"));

    private KafkaService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            Topics topics,
            Optional<Secrets> secrets,
            Duration longestLogin) {
        return new ServiceSpec(
                NAME,
                ports.address(NAME),
                Set.of(),
                () -> command(home, installation, ports, secrets, longestLogin),
                () -> topics.brokerAnswers(() -> adopt(secrets)),
                () -> {
                    topics.create();
                    if (secrets.isPresent()) {
                        new KafkaAccess(secrets.get(), topics).grant();
                    }
                },
                Duration.ofSeconds(30));
    }

    /** Kafka may have the password of a rotation that was interrupted; the broker, too, reads it from the file. */
    private static void adopt(Optional<Secrets> secrets) throws IOException {
        if (secrets.isPresent() && secrets.get().adoptKafkaPassword(Account.ADMIN)) {
            LOGGER.info("Took over the new password of {} from an interrupted rotation", Account.ADMIN.user());
        }
    }

    private static ServiceSpec.Command command(
            Home home, Installation installation, Ports ports, Optional<Secrets> secrets, Duration longestLogin)
            throws IOException, InterruptedException {
        Path data = home.data().resolve(NAME);
        Path configuration = home.configuration().resolve("kafka.properties");
        AtomicFiles.write(
                configuration,
                configuration(ports, data) + (secrets.isPresent() ? closed(secrets.get(), longestLogin) : OPEN));
        if (!Files.exists(data.resolve("meta.properties"))) {
            format(home, installation, configuration, secrets);
        }
        return java(home)
                .metrics(MetricsExporter.BROKER, ports)
                .argument(configuration.toString())
                .service(installation, MODULE, "kafka.Kafka");
    }

    private static JavaCommand java(Home home) {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                .log4j(LOG);
    }

    private static void format(Home home, Installation installation, Path configuration, Optional<Secrets> secrets)
            throws IOException, InterruptedException {
        JavaCommand java = java(home)
                .option("-XX:TieredStopAtLevel=1")
                .argument("format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", configuration.toString());
        if (secrets.isPresent()) {
            // With it the broker logs in to itself; it adds the other users once it is ready.
            java.argument(
                    "--add-scram",
                    "SCRAM-SHA-512=[name=%s,password=%s]"
                            .formatted(Account.ADMIN.user(), secrets.get().kafkaPassword(Account.ADMIN)));
        }
        List<String> command = java.program(installation, MODULE, "kafka.tools.StorageTool");
        // Java reads its arguments from a file, because those of a process are not secret.
        Path arguments = Files.createTempFile(home.configuration(), "kafka-format.", ".arguments");
        try {
            Files.write(
                    arguments,
                    command.stream().skip(1).map(KafkaService::quoted).toList());
            Process format = new ProcessBuilder(command.getFirst(), "@" + arguments)
                    .redirectErrorStream(true)
                    .start();
            format.getOutputStream().close();
            // It prints what it makes of the password
            List<String> lines = format.inputReader(StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.contains("ScramCredential"))
                    .toList();
            Files.write(home.log(NAME), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (format.waitFor() != 0) {
                throw new IOException("Kafka's storage could not be formatted");
            }
        } finally {
            Files.delete(arguments);
        }
    }

    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** What a broker that checks users adds. Its own name as a client is its certificate's, and the admin's. */
    private static String closed(Secrets secrets, Duration longestLogin) throws IOException {
        return """
                listener.security.protocol.map=%1$s:SASL_SSL,CONTROLLER:SSL
                ssl.keystore.type=PEM
                ssl.keystore.location=%2$s
                ssl.truststore.type=PEM
                ssl.truststore.location=%3$s
                listener.name.controller.ssl.client.auth=required
                sasl.enabled.mechanisms=SCRAM-SHA-512
                sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
                connections.max.reauth.ms=%9$d
                listener.name.%4$s.scram-sha-512.sasl.jaas.config=%5$s
                authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
                allow.everyone.if.no.acl.found=false
                super.users=User:%6$s;User:CN=%7$s
                %8$s""".formatted(
                        LISTENER,
                        secrets.certificate(NAME),
                        secrets.authorities(),
                        LISTENER.toLowerCase(Locale.ROOT),
                        secrets.scram(Account.ADMIN),
                        Account.ADMIN.user(),
                        NAME,
                        KafkaClasses.LINES,
                        longestLogin.toMillis());
    }

    private static String configuration(Ports ports, Path data) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=%1$s
                listeners=%6$s://%2$s,CONTROLLER://%1$s
                advertised.listeners=%6$s://%2$s
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=%6$s
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
                        LONGEST_TRANSACTION.toMillis(),
                        LISTENER);
    }
}
