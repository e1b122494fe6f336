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

/**
 * The agent that answers Prometheus for a JVM: it reads MBeans and names them by rules, {@code cordwood_COMPONENT_...}.
 * Immutable.
 *
 * @param component the word for the process in the names of its metrics
 * @param rules the resource of this package that holds the rules
 */
record MetricsAgent(String component, String rules) {
    static final MetricsAgent BROKER = new MetricsAgent("broker", "broker-metrics.yml");
    static final MetricsAgent INGEST = new MetricsAgent("ingest", "ingest-metrics.yml");
    static final MetricsAgent COMPACTION = new MetricsAgent("compaction", "compaction-metrics.yml");
    static final MetricsAgent TRINO = new MetricsAgent("trino", "trino-metrics.yml");
    private static final String MODULE = "standalone/metrics-agent";

    /** The name of its port among the ports of a home. */
    String portName() {
        return component + "-metrics";
    }

    /** The option of the JVM; the rules are written to the home. */
    String option(Installation installation, Home home, Ports ports) {
        return "-javaagent:%s=%s:%s"
                .formatted(installation.classPath(MODULE, home), ports.address(portName()), write(home));
    }

    private Path write(Home home) {
        Path file = home.configuration().resolve(rules);
        try (InputStream resource = MetricsAgent.class.getResourceAsStream(rules)) {
            AtomicFiles.write(file, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules " + rules, e);
        }
    }
}
