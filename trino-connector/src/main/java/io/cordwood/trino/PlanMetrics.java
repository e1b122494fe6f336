package io.cordwood.trino;

import com.google.common.collect.ImmutableMap;
import io.cordwood.hot.statistics.PruningMetrics;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/** Counts which LogBlocks a scan plans to open and why not the others. Thread-safe. */
final class PlanMetrics {
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

    Metrics toMetrics() {
        return new Metrics(ImmutableMap.<String, Metric<?>>builder()
                .put("tables", count(tables))
                .put("tables pruned by tenant", count(tablesPrunedByTenant))
                .put("tables pruned by columns", count(tablesPrunedByColumns))
                .put("LogBlocks considered", count(considered))
                .put("LogBlocks pruned by path", count(prunedByPath))
                .put("LogBlocks pruned by time", count(prunedByTime))
                .put("LogBlocks pruned by statistics", count(prunedByStatistics))
                .put("LogBlocks pruned by token filters", count(prunedByTokenFilters))
                .put("token filters unusable", count(tokenFiltersUnusable))
                .put("LogBlocks pruned by top-n", count(prunedByTopN))
                .put("hot chunks considered", count(hot.chunks))
                .put("hot chunks unknown", count(hot.unknown))
                .put("hot chunks pruned by statistics", count(hot.pruned))
                .put("hot chunks pruned by columns", count(hot.prunedByColumns))
                .put("hot partitions considered", count(hot.partitions))
                .put("hot partitions read", count(hot.partitionsRead))
                .buildOrThrow());
    }

    private static LongCount count(LongAdder adder) {
        return new LongCount(adder.sum());
    }
}
