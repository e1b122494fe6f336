package io.cordwood.standalone.service;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Flink with its dashboard and the ingest job on it, in one process. */
final class FlinkService {
    static final String NAME = "flink";
    private static final String MODULE = "standalone/flink-cluster";
    private static final int HEAP_MEGABYTES = 2_048;
    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", Map.of("io.cordwood", "INFO"));

    private FlinkService() {}

    static ServiceSpec spec(
            Home home, Installation installation, Ports ports, StackOptions options, String kafka, String warehouse) {
        Set<String> dependencies = new HashSet<>(Set.of(CatalogService.NAME));
        if (options.kafka().isEmpty()) {
            dependencies.add(KafkaService.NAME);
        }
        return new ServiceSpec(
                NAME,
                url(ports),
                dependencies,
                () -> new JavaCommand(home, NAME)
                        .heap(HEAP_MEGABYTES)
                        .option("-XX:+UseG1GC")
                        .log4j(LOG)
                        .argument("--rest-port", Integer.toString(ports.of(NAME)))
                        .argument("--bootstrap-servers", kafka)
                        .argument("--catalog-uri", CatalogService.url(ports))
                        .argument("--warehouse", warehouse)
                        .argument("--checkpoint-dir", "file://" + home.data().resolve("checkpoints"))
                        .argument("--streams", String.join(",", options.streams()))
                        .run(installation, MODULE, "io.cordwood.ingest.cluster.IngestCluster"),
                () -> Probes.get(url(ports) + "/jobs/overview").contains("\"RUNNING\""),
                () -> {},
                Duration.ofSeconds(30));
    }

    static String url(Ports ports) {
        return "http://" + ports.address(NAME);
    }
}
