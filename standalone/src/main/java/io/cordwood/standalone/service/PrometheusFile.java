package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import java.util.Map;

/**
 * {@code prometheus.yml} of a home: the configuration with which Prometheus scrapes the stack and evaluates the alerts.
 */
final class PrometheusFile {
    private static final String ALERTS = "docker/observability/prometheus/alerts.yml";

    private PrometheusFile() {}

    /** @param targets {@code host:port} of each component's {@code /metrics} */
    static void write(Home home, Installation installation, Map<String, String> targets) {
        StringBuilder text = new StringBuilder(
                """
                # Written at each start of the stack: prometheus --config.file=%s
                global:
                  scrape_interval: 15s
                  evaluation_interval: 15s
                rule_files:
                  - %s
                scrape_configs:
                """.formatted(home.prometheus(), installation.root().resolve(ALERTS)));
        targets.forEach((component, target) -> text.append("""
                  - job_name: %s
                    static_configs:
                      - targets: ["%s"]
                """.formatted(component, target)));
        AtomicFiles.write(home.prometheus(), text.toString());
    }
}
