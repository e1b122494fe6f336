package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The exporter of a JVM's metrics to Prometheus. It reads MBeans and names them {@code cordwood_COMPONENT_...} by
 * rules in this package's resources. Each component with an exporter has one.
 */
enum MetricsExporter {
    BROKER,
    INGEST,
    COMPACTION,
    TRINO;

    static final String MODULE = "standalone/metrics-exporter";
    /** Starts the exporter, then the main class that its second argument names. */
    static final String MAIN_CLASS = "io.cordwood.standalone.metrics.MetricsMain";

    /** The component in the names of its metrics. */
    String component() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The key of its port in the home's ports. */
    String portName() {
        return component() + "-metrics";
    }

    /** The argument of the exporter; the rules are written to the home. */
    String argument(Home home, Ports ports) {
        return "%s:%d:%s".formatted(ports.host(), ports.of(portName()), write(home));
    }

    private Path write(Home home) {
        String rules = component() + "-metrics.yml";
        Path file = home.configuration().resolve(rules);
        try (InputStream resource = MetricsExporter.class.getResourceAsStream(rules)) {
            AtomicFiles.write(file, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules " + rules, e);
        }
    }
}
