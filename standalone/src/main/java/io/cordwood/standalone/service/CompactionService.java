package io.cordwood.standalone.service;

import io.cordwood.compaction.CompactionTuning;
import io.cordwood.identity.ServiceRole;
import io.cordwood.options.NamedValues;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Flink with its dashboard and the compaction job in one process. It is separate from the ingest job, so that neither
 * takes the other's memory.
 */
public final class CompactionService {
    static final String NAME = "compaction";
    private static final String MODULE = "standalone/flink-cluster";
    private static final String MAIN = "io.cordwood.compaction.CompactionCluster";
    private static final int HEAP_MEGABYTES = 1_024;

    /** The job's user in the catalog. */
    private static final String USER = ServiceRole.COMPACTOR.label();

    private CompactionService() {}

    static ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String catalog) {
        return new ServiceSpec(
                NAME,
                url(ports, options.secrets()),
                options.catalog().isEmpty() ? Set.of(CatalogService.NAME) : Set.of(),
                () -> command(home, installation, ports, options, catalog),
                () -> Probes.get(url(ports, options.secrets()) + "/jobs/overview", options.secrets())
                        .contains("\"RUNNING\""),
                () -> {},
                Duration.ofSeconds(45));
    }

    private static ServiceSpec.Command command(
            Home home, Installation installation, Ports ports, StackOptions options, String catalog)
            throws IOException {
        Path properties = CatalogProperties.write(home, options.s3(), USER, options.secrets());
        return java(home, NAME, catalog, options.streams(), options.compaction())
                .metrics(MetricsExporter.COMPACTION, ports)
                .arguments(FlinkService.tls(NAME, options.secrets()))
                .trust(options.secrets())
                .argument("--rest-host", ports.host())
                .argument("--rest-port", Integer.toString(ports.of(NAME)))
                .argument("--catalog-properties", properties.toString())
                .service(installation, MODULE, MAIN);
    }

    /**
     * The command of one compaction run, beside running jobs.
     *
     * @param catalog address of the catalog service
     * @param tenantId the only tenant; empty for all
     * @param options options of the job, by name without dashes
     */
    public static List<String> once(
            Home home,
            Installation installation,
            String catalog,
            List<String> streams,
            Optional<String> tenantId,
            Map<String, String> options)
            throws IOException {
        JavaCommand command = java(home, "compact", catalog, streams, options)
                .argument("--once")
                .argument("--rest-port", "0")
                .argument("--tenant", tenantId);
        Path properties = CatalogProperties.file(home, USER);
        if (Files.exists(properties)) {
            command.argument("--catalog-properties", properties.toString());
        }
        return command.program(installation, MODULE, MAIN);
    }

    private static JavaCommand java(
            Home home, String name, String catalog, List<String> streams, Map<String, String> options)
            throws IOException {
        int parallelism = NamedValues.set(new CompactionTuning(), options).parallelism();
        Path work = Files.createDirectories(home.temporary().resolve(name));
        return new JavaCommand(home, name)
                .heap((1 + parallelism) * HEAP_MEGABYTES)
                .option("-XX:+UseG1GC")
                .log4j(new LogConfiguration(name, "WARN", Map.of("io.cordwood", "INFO")))
                .argument("--work-dir", work.toString())
                .argument("--catalog-uri", catalog)
                .argument("--streams", String.join(",", streams))
                .arguments(NamedValues.arguments(options));
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
