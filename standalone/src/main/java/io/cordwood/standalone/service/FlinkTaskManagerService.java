package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A TaskManager for an ingest job whose {@link FlinkService} has no TaskManager of its own. */
final class FlinkTaskManagerService {
    static final String NAME = "flink-taskmanager";
    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", FlinkService.LOG_LEVELS);

    private FlinkTaskManagerService() {}

    /** @param slots number of subtasks */
    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            String jobManager,
            int slots,
            S3Settings s3,
            Optional<Secrets> secrets) {
        String metrics = "http://" + ports.address(MetricsExporter.INGEST.portName()) + "/metrics";
        return new ServiceSpec(
                NAME,
                metrics,
                Set.of(),
                () -> command(home, installation, ports, jobManager, slots, s3, secrets),
                () -> Probes.get(metrics).contains("cordwood_ingest"),
                () -> {},
                Duration.ofSeconds(45));
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            String jobManager,
            int slots,
            S3Settings s3,
            Optional<Secrets> secrets)
            throws IOException {
        Path work = Files.createDirectories(home.temporary().resolve(NAME));
        return FlinkService.java(home, NAME, slots)
                .log4j(LOG)
                .metrics(MetricsExporter.INGEST, ports)
                .argument("--job-manager", jobManager)
                .argument("--host", ports.host())
                .arguments(FlinkService.tls(FlinkService.NAME, secrets))
                .trust(secrets)
                .argument("--slots", Integer.toString(slots))
                .argument("--work-dir", work.toString())
                .argument(
                        "--catalog-properties",
                        CatalogProperties.write(home, s3, FlinkService.INGEST, secrets)
                                .toString())
                .service(installation, FlinkService.MODULE, "io.cordwood.ingest.cluster.IngestTaskManager");
    }
}
