package io.cordwood.trino.split;

import io.airlift.units.Duration;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScanPart;
import io.cordwood.query.plan.ScanPlan;
import io.cordwood.query.usage.ShownCounts;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.handle.CordwoodHotSplit;
import io.cordwood.trino.handle.CordwoodLogBlocksSplit;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.metric.ConnectorMetrics;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.pushdown.ScanFilters;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The split source of one scan: each part of its plan is a split. Calls do not overlap. */
public final class CordwoodSplitSource implements ConnectorSplitSource {
    private final ScanPlan plan;
    private final CordwoodTableHandle table;
    private final Optional<Duration> dynamicFilterWait;
    private final ScanTotals totals;
    private final ShownCounts shown;
    private volatile boolean closed;

    /**
     * @param dynamicFilterWait maximum time to wait for a join's dynamic filter; empty if it must not rule parts out
     * @param totals receives the planning counts at the end
     * @param shown the planning counts that the user sees
     */
    public CordwoodSplitSource(
            ScanPlan plan,
            CordwoodTableHandle table,
            Optional<Duration> dynamicFilterWait,
            ScanTotals totals,
            ShownCounts shown) {
        this.plan = plan;
        this.table = table;
        this.dynamicFilterWait = dynamicFilterWait;
        this.totals = totals;
        this.shown = shown;
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter) {
        ScanFilter learnt = dynamicFilterWait
                .map(any -> ScanFilters.learnt(table, dynamicFilter.currentPredicate()))
                .orElse(ScanFilter.ANY);
        return QueryErrors.translating(plan.next(maxSize, learnt))
                .thenApply(
                        parts -> parts.stream().map(CordwoodSplitSource::split).toList());
    }

    private static ConnectorSplit split(ScanPart part) {
        return switch (part) {
            case HotPart hot -> new CordwoodHotSplit(hot);
            case LogBlockGroup group -> new CordwoodLogBlocksSplit(group);
        };
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis() {
        return dynamicFilterWait.map(Duration::toMillis).orElse(0L);
    }

    @Override
    public boolean isFinished() {
        return closed || plan.isFinished();
    }

    @Override
    public Metrics getMetrics() {
        return ConnectorMetrics.of(shown.counts(plan.counts()));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            totals.add(plan.counts());
        }
    }
}
