package io.cordwood.trino;

import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metrics;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the scans of this node took since its start, all together: the connector metrics that {@code EXPLAIN ANALYZE
 * VERBOSE} shows of one, summed up, under their names in lower case with underscores. Thread-safe.
 */
final class ScanTotals {
    private final Map<String, LongAdder> totals = new ConcurrentHashMap<>();

    ScanTotals() {
        // What is planned is there from the beginning, so that a rate over it has one.
        add(new PlanMetrics().toMetrics());
    }

    /** Adds what one part of a scan took, once it has ended. */
    void add(Metrics ended) {
        ended.getMetrics().forEach((name, metric) -> {
            if (metric instanceof LongCount count) {
                totals.computeIfAbsent(attribute(name), unknown -> new LongAdder())
                        .add(count.getTotal());
            }
        });
    }

    private static String attribute(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    /** Sums by name. */
    Map<String, Long> sums() {
        Map<String, Long> sums = new TreeMap<>();
        totals.forEach((name, total) -> sums.put(name, total.sum()));
        return sums;
    }
}
