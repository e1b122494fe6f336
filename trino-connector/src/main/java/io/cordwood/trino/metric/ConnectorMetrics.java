package io.cordwood.trino.metric;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metrics;
import java.util.Map;

/** Converts counts of scans to the engine's metrics. Stateless. */
public final class ConnectorMetrics {
    private ConnectorMetrics() {}

    public static Metrics of(Map<String, Long> counts) {
        return new Metrics(counts.entrySet().stream()
                .collect(toImmutableMap(Map.Entry::getKey, count -> new LongCount(count.getValue()))));
    }
}
