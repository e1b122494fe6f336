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
import java.util.Optional;
import java.util.Set;

/** Trino, coordinator and worker at once, with the Cordwood connector. */
final class TrinoService {
    static final String NAME = "trino";
    private static final String MODULE = "standalone/trino-server";
    private static final String VERSION = "483";
    private static final int HEAP_MEGABYTES = 2_048;

    private TrinoService() {}

    static ServiceSpec spec(
            Home home, Installation installation, Ports ports, TrinoCatalog catalog, Optional<IcebergCatalog> iceberg) {
        return new ServiceSpec(
                NAME,
                url(ports),
                Set.of(),
                () -> command(home, installation, ports, catalog, iceberg),
                () -> Probes.get(url(ports) + "/v1/info").contains("\"starting\":false"),
                () -> {},
                Duration.ofSeconds(20));
    }

    static String url(Ports ports) {
        return "http://" + ports.address(NAME);
    }

    private static ServiceSpec.Command command(
            Home home, Installation installation, Ports ports, TrinoCatalog catalog, Optional<IcebergCatalog> iceberg)
            throws IOException {
        Path etc = Files.createDirectories(home.configuration().resolve(NAME));
        Path plugins = Files.createDirectories(home.libraries().resolve("trino-plugins"));
        Path catalogs = Files.createDirectories(etc.resolve("catalog"));
        catalog.write(installation, plugins, catalogs);
        if (iceberg.isPresent()) {
            iceberg.get().write(installation, plugins, catalogs);
        } else {
            IcebergCatalog.remove(plugins, catalogs);
        }
        Path configuration = etc.resolve("config.properties");
        AtomicFiles.write(configuration, """
                coordinator=true
                node-scheduler.include-coordinator=true
                http-server.http.port=%d
                http-server.log.enabled=false
                discovery.uri=%s
                catalog.management=static
                """.formatted(ports.of(NAME), url(ports)));
        Path levels = etc.resolve("log.properties");
        AtomicFiles.write(levels, "io.trino=WARN\nio.airlift=WARN\nio.cordwood=INFO\norg.apache.kafka=WARN\n");
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .metrics(MetricsAgent.TRINO, installation, ports)
                .option("--add-modules=jdk.incubator.vector")
                .option("-XX:+UseG1GC")
                .option("-Dconfig=" + configuration)
                .option("-Dlog.levels-file=" + levels)
                .option("-Dnode.environment=cordwood")
                .option("-Dnode.id=standalone")
                .option("-Dnode.data-dir=" + home.data().resolve(NAME))
                .option("-Dnode.internal-address=127.0.0.1")
                .option("-Dnode.bind-ip=" + ports.host())
                .option("-Dplugin.dir=" + plugins)
                .option("-Dcatalog.config-dir=" + catalogs)
                .argument(VERSION)
                .run(installation, MODULE, "io.cordwood.standalone.trino.TrinoMain");
    }
}
