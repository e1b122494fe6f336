package io.cordwood.standalone.service;

import io.cordwood.options.NamedValues;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The balancer, which plans the routes of each tenant's traffic. */
final class BalancerService {
    static final String NAME = "balancer";
    /** The port of its metrics where its own asks for a token. */
    static final String METRICS = "balancer-metrics";

    private static final String MODULE = "balancer-service";
    private static final int HEAP_MEGABYTES = 256;
    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", Map.of("io.cordwood", "INFO"));

    private BalancerService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String catalog,
            String flink) {
        Set<String> dependencies = new HashSet<>();
        if (options.kafka().isEmpty()) {
            dependencies.add(KafkaService.NAME);
        }
        if (options.redis().isEmpty()) {
            dependencies.add(RedisService.NAME);
        }
        options.secrets().ifPresent(own -> dependencies.add(CatalogService.NAME));
        return new ServiceSpec(
                NAME,
                url(ports, options.secrets()),
                dependencies,
                () -> command(home, installation, ports, options, kafka, redis, catalog, flink),
                () -> !Probes.get(
                                options.secrets().isPresent()
                                        ? "http://" + ports.address(METRICS) + "/metrics"
                                        : url(ports, options.secrets()) + "/api/routes")
                        .isEmpty(),
                () -> {},
                Duration.ofSeconds(20));
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String catalog,
            String flink)
            throws IOException {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                .log4j(LOG)
                .argument("--host", ports.host())
                .argument("--port", Integer.toString(ports.of(NAME)))
                .argument("--bootstrap-servers", kafka)
                .trust(options.secrets())
                .arguments(RedisService.arguments(home, redis, Account.BALANCER, options.secrets()))
                .arguments(identity(ports, catalog, options.secrets()))
                .argument("--flink", flink)
                .argument("--streams", String.join(",", options.streams()))
                .argument(
                        "--kafka-properties",
                        options.kafkaProperties(Account.BALANCER).map(Path::toString))
                .arguments(NamedValues.arguments(options.balancer()))
                .service(installation, MODULE, "io.cordwood.balancer.service.Balancer");
    }

    private static List<String> identity(Ports ports, String catalog, Optional<Secrets> secrets) {
        return secrets.map(own -> List.of(
                        "--catalog-uri",
                        catalog,
                        "--tls-keystore",
                        own.certificate(NAME).toString(),
                        "--tls-authorities",
                        own.authorities().toString(),
                        "--metrics-port",
                        Integer.toString(ports.of(METRICS))))
                .orElse(List.of());
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
