package io.cordwood.trino.metric;

import io.cordwood.query.plan.PlanMetrics;
import io.cordwood.query.usage.ShownCounts;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Totals over the scans of this node since its start: sums of the connector metrics that {@code EXPLAIN ANALYZE
 * VERBOSE} shows of one scan, under their names in lower case with underscores. Thread-safe.
 */
public final class ScanTotals {
    private final Map<String, LongAdder> totals = new ConcurrentHashMap<>();

    ScanTotals() {
        // The planning counts start at 0, so that a rate has a first value.
        add(new PlanMetrics().counts());
    }

    /** Adds the counts of a part of a scan that has ended. */
    public void add(Map<String, Long> ended) {
        ended.forEach((name, count) -> totals.computeIfAbsent(ShownCounts.identifier(name), unknown -> new LongAdder())
                .add(count));
    }

    /** The sums by name. */
    Map<String, Long> sums() {
        Map<String, Long> sums = new TreeMap<>();
        totals.forEach((name, total) -> sums.put(name, total.sum()));
        return sums;
    }
}
