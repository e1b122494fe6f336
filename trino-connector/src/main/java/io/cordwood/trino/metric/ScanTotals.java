package io.cordwood.trino.metric;

import io.cordwood.query.plan.PlanMetrics;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the scans of this node took since its start, all together: the connector metrics that {@code EXPLAIN ANALYZE
 * VERBOSE} shows of one, summed up, under their names in lower case with underscores. Thread-safe.
 */
public final class ScanTotals {
    private final Map<String, LongAdder> totals = new ConcurrentHashMap<>();

    ScanTotals() {
        // What is planned is there from the beginning, so that a rate over it has one.
        add(new PlanMetrics().counts());
    }

    /** Adds what one part of a scan took, once it has ended. */
    public void add(Map<String, Long> ended) {
        ended.forEach((name, count) -> totals.computeIfAbsent(attribute(name), unknown -> new LongAdder())
                .add(count));
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
