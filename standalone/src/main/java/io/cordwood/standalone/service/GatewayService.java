package io.cordwood.standalone.service;

import io.cordwood.identity.ServiceRole;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ingest gateway, which takes logs over the protocols of common shippers. */
final class GatewayService {
    static final String NAME = "gateway";
    /** The port of its metrics where its own asks for an API key. */
    static final String METRICS = "gateway-metrics";

    /** The port that takes OTLP over gRPC. */
    static final String OTLP_GRPC = "otlp-grpc";
    /** The port that takes syslog. */
    static final String SYSLOG = "syslog";

    private static final String MODULE = "ingest-gateway";
    private static final int HEAP_MEGABYTES = 384;

    /** The service's user in the catalog. */
    private static final String USER = ServiceRole.GATEWAY.label();

    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", Map.of("io.cordwood", "INFO"));

    private GatewayService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String catalog) {
        String url = url(ports, options.secrets());
        return new ServiceSpec(
                NAME,
                url,
                OwnServices.of(options),
                () -> command(home, installation, ports, options, kafka, redis, catalog),
                () -> !Probes.get(url + "/health", options.secrets()).isEmpty(),
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
            String catalog)
            throws IOException {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                // Requests that wait outlive a young collection. In the old generation they would cost full ones
                .option("-XX:SurvivorRatio=1")
                .option("-XX:TargetSurvivorRatio=90")
                .log4j(LOG)
                .argument("--host", ports.host())
                .argument("--port", Integer.toString(ports.of(NAME)))
                .argument("--catalog-uri", catalog)
                .argument(
                        "--catalog-properties",
                        CatalogProperties.write(home, options.s3(), USER, options.secrets())
                                .toString())
                .argument("--bootstrap-servers", kafka)
                .argument(
                        "--kafka-properties",
                        options.kafkaProperties(Account.GATEWAY).map(Path::toString))
                .trust(options.secrets())
                .arguments(RedisService.arguments(home, redis, Account.GATEWAY, options.secrets()))
                .argument("--streams", String.join(",", options.streams()))
                .argument("--otlp-grpc-port", Integer.toString(ports.of(OTLP_GRPC)))
                .argument("--syslog-port", Integer.toString(ports.of(SYSLOG)))
                .arguments(identity(ports, options.secrets()))
                .arguments(NamedValues.arguments(options.gateway()))
                .service(installation, MODULE, "io.cordwood.gateway.GatewayServer");
    }

    private static List<String> identity(Ports ports, Optional<Secrets> secrets) {
        return secrets.map(own -> List.of(
                        "--tls-keystore",
                        own.certificate(NAME).toString(),
                        "--metrics-port",
                        Integer.toString(ports.of(METRICS))))
                .orElse(List.of());
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
