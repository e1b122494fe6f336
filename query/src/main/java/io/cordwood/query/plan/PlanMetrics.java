package io.cordwood.query.plan;

import io.cordwood.hot.statistics.PruningMetrics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the LogBlocks that a scan plans to open, and of those that it prunes, by reason. Thread-safe. */
public final class PlanMetrics {
    final LongAdder tables = new LongAdder();
    final LongAdder tablesPrunedByTenant = new LongAdder();
    final LongAdder tablesPrunedByColumns = new LongAdder();
    final LongAdder considered = new LongAdder();
    final LongAdder prunedByPath = new LongAdder();
    final LongAdder prunedByTime = new LongAdder();
    final LongAdder prunedByStatistics = new LongAdder();
    final LongAdder prunedByTokenFilters = new LongAdder();
    final LongAdder tokenFiltersUnusable = new LongAdder();
    final LongAdder prunedByTopN = new LongAdder();
    final PruningMetrics hot = new PruningMetrics();

    /** The counts by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("tables", tables.sum());
        counts.put("tables pruned by tenant", tablesPrunedByTenant.sum());
        counts.put("tables pruned by columns", tablesPrunedByColumns.sum());
        counts.put("LogBlocks considered", considered.sum());
        counts.put("LogBlocks pruned by path", prunedByPath.sum());
        counts.put("LogBlocks pruned by time", prunedByTime.sum());
        counts.put("LogBlocks pruned by statistics", prunedByStatistics.sum());
        counts.put("LogBlocks pruned by token filters", prunedByTokenFilters.sum());
        counts.put("token filters unusable", tokenFiltersUnusable.sum());
        counts.put("LogBlocks pruned by top-n", prunedByTopN.sum());
        counts.put("hot chunks considered", hot.chunks.sum());
        counts.put("hot chunks unknown", hot.unknown.sum());
        counts.put("hot chunks pruned by statistics", hot.pruned.sum());
        counts.put("hot chunks pruned by columns", hot.prunedByColumns.sum());
        counts.put("hot partitions considered", hot.partitions.sum());
        counts.put("hot partitions read", hot.partitionsRead.sum());
        return counts;
    }
}
