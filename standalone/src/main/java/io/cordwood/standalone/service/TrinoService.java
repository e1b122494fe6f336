package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
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

/** A Trino server with the Cordwood connector. */
final class TrinoService {
    static final String NAME = TrinoNode.ALONE;
    private static final String MODULE = "standalone/trino-server";
    private static final String VERSION = "483";
    private static final int HEAP_MEGABYTES = 2_048;
    /**
     * Trino keeps a query's state for this long after its end, and a client may wait this long between two requests.
     * With the default, 15 minutes of a busy dashboard would fill the heap.
     */
    private static final String ENDED_QUERY = "5m";
    /** A query fails after a worker has not answered for this long. The client waits meanwhile, and may retry. */
    private static final String LOST_WORKER = "15s";

    private TrinoService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            TrinoNode node,
            TrinoCatalog catalog,
            Optional<IcebergCatalog> iceberg,
            Optional<Secrets> secrets) {
        String url = url(ports.address(node.name()), secrets);
        return new ServiceSpec(
                node.name(),
                url,
                // Its token comes from the catalog
                secrets.isPresent() ? Set.of(CatalogService.NAME) : Set.of(),
                () -> command(home, installation, ports, node, catalog, iceberg, secrets),
                () -> Probes.get(url + "/v1/info", secrets).contains("\"starting\":false"),
                () -> {},
                Duration.ofSeconds(20));
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return url(ports.address(NAME), secrets);
    }

    private static String url(String address, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + address;
    }

    private static Path etc(Home home, String node) {
        return home.configuration().resolve(node);
    }

    /** Where the catalogs of a node are configured. */
    static Path catalogs(Home home, String node) {
        return etc(home, node).resolve("catalog");
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            TrinoNode node,
            TrinoCatalog catalog,
            Optional<IcebergCatalog> iceberg,
            Optional<Secrets> secrets)
            throws IOException {
        Path etc = Files.createDirectories(etc(home, node.name()));
        Path plugins = Files.createDirectories(home.libraries().resolve("trino-plugins"));
        Path catalogs = Files.createDirectories(catalogs(home, node.name()));
        catalog.write(installation, plugins, catalogs);
        if (iceberg.isPresent()) {
            iceberg.get().write(installation, plugins, catalogs);
        } else {
            IcebergCatalog.remove(plugins, catalogs);
        }
        Path configuration = etc.resolve("config.properties");
        AtomicFiles.write(
                configuration,
                """
                coordinator=%s
                node-scheduler.include-coordinator=%s
                http-server.log.enabled=false
                discovery.uri=%s
                catalog.management=static
                query.remote-task.max-error-duration=%s
                query.min-expire-age=%s
                """.formatted(
                                        node.coordinates(),
                                        node.coordinates() && node.works(),
                                        node.discovery(),
                                        LOST_WORKER,
                                        ENDED_QUERY)
                        + (secrets.isPresent()
                                ? TrinoAccess.write(
                                        home,
                                        installation,
                                        etc,
                                        node.name(),
                                        ports.of(node.name()),
                                        catalog.catalogUri(),
                                        secrets.get())
                                : "http-server.http.port=%d%n".formatted(ports.of(node.name()))));
        Path levels = etc.resolve("log.properties");
        // The consumer of the hot tier logs each value that waits for its next poll.
        AtomicFiles.write(levels, """
                io.trino=WARN
                io.airlift=WARN
                io.cordwood=INFO
                org.apache.kafka=WARN
                org.apache.kafka.clients.consumer.internals.CompletedFetch=OFF
                """);
        JavaCommand command = new JavaCommand(home, node.name());
        node.internalAddress().ifPresent(address -> command.option("-Dnode.internal-address=" + address));
        if (node.coordinates()) {
            // A worker gets a new id at each start, because several may run on one machine.
            command.option("-Dnode.id=standalone");
        }
        return command.heap(HEAP_MEGABYTES)
                .trust(secrets)
                .metrics(MetricsExporter.TRINO, ports)
                .option("--add-modules=jdk.incubator.vector")
                .option("-XX:+UseG1GC")
                // The heap has its full size from the start. G1 does not enlarge a small heap by itself: the caches
                // would fill half of it, and G1 would mark it without end.
                .option("-XX:InitialRAMPercentage=100")
                .option("-Dconfig=" + configuration)
                .option("-Dlog.levels-file=" + levels)
                .option("-Dnode.environment=cordwood")
                .option("-Dnode.data-dir=" + home.data().resolve(node.name()))
                .option("-Dnode.bind-ip=" + ports.host())
                .option("-Dplugin.dir=" + plugins)
                .option("-Dcatalog.config-dir=" + catalogs)
                .argument(VERSION)
                .service(installation, MODULE, "io.cordwood.standalone.trino.TrinoMain");
    }
}
