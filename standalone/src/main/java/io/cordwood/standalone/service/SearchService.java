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

/** The search service, which finds, counts and follows tenants' rows over HTTP. */
final class SearchService {
    static final String NAME = "search";
    /** The port of its metrics where its own asks for a token. */
    static final String METRICS = "search-metrics";

    private static final String MODULE = "search-service";
    private static final int HEAP_MEGABYTES = 420;

    /** The service's user in the catalog. */
    private static final String USER = ServiceRole.SEARCH.label();

    private static final LogConfiguration LOG = new LogConfiguration(
            NAME,
            "WARN",
            Map.of(
                    "io.cordwood",
                    "INFO",
                    // The consumer of the hot tier logs each value that waits for its next poll
                    "org.apache.kafka.clients.consumer.internals.CompletedFetch",
                    "OFF",
                    // It logs what clients send
                    "io.modelcontextprotocol",
                    "ERROR"));

    private SearchService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String catalog,
            Optional<String> trino) {
        String url = url(ports, options.secrets());
        return new ServiceSpec(
                NAME,
                url,
                OwnServices.of(options),
                () -> command(home, installation, ports, options, kafka, redis, catalog, trino),
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
            String catalog,
            Optional<String> trino)
            throws IOException {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("--add-modules=jdk.incubator.vector")
                .option("-XX:+UseSerialGC")
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
                        options.kafkaProperties(Account.QUERY).map(Path::toString))
                .trust(options.secrets())
                .arguments(RedisService.arguments(home, redis, Account.QUERY, options.secrets()))
                .argument("--streams", String.join(",", options.streams()))
                .argument("--default-tenant", options.streamOptions().defaultTenant())
                .argument("--trino", trino)
                .arguments(identity(ports, options.secrets()))
                .arguments(NamedValues.arguments(options.search()))
                .service(installation, MODULE, "io.cordwood.search.SearchServer");
    }

    private static List<String> identity(Ports ports, Optional<Secrets> secrets) {
        return secrets.map(own -> List.of(
                        "--require-record-tokens",
                        "--tls-keystore",
                        own.certificate(NAME).toString(),
                        "--cursor-key-file",
                        own.cursorKey().toString(),
                        "--metrics-port",
                        Integer.toString(ports.of(METRICS))))
                .orElse(List.of());
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
