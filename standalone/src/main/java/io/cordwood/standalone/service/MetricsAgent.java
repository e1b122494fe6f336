package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The agent that serves Prometheus metrics of a JVM. It reads MBeans and names them {@code cordwood_COMPONENT_...} by
 * rules in this package's resources. Each component with an agent has one.
 */
enum MetricsAgent {
    BROKER,
    INGEST,
    COMPACTION,
    TRINO;

    private static final String MODULE = "standalone/metrics-agent";

    /** The component in the names of its metrics. */
    String component() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The key of its port in the home's ports. */
    String portName() {
        return component() + "-metrics";
    }

    /** The option of the JVM; the rules are written to the home. */
    String option(Installation installation, Home home, Ports ports) {
        return "-javaagent:%s=%s:%d:%s"
                .formatted(installation.classPath(MODULE, home), ports.host(), ports.of(portName()), write(home));
    }

    private Path write(Home home) {
        String rules = component() + "-metrics.yml";
        Path file = home.configuration().resolve(rules);
        try (InputStream resource = MetricsAgent.class.getResourceAsStream(rules)) {
            AtomicFiles.write(file, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules " + rules, e);
        }
    }
}
