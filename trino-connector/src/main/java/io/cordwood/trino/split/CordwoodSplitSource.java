package io.cordwood.trino.split;

import static com.google.common.collect.ImmutableList.toImmutableList;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.PlanMetrics;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.SplitGrouping;
import io.cordwood.query.plan.TopN;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.handle.CordwoodHotSplit;
import io.cordwood.trino.handle.CordwoodLogBlocksSplit;
import io.cordwood.trino.handle.CordwoodSplit;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.metric.ConnectorMetrics;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.pushdown.ScanFilters;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * The split source of one scan. It plans tables one after another on demand, so that a scan over many tenants starts at
 * once; for a top-n it plans all tables first, since the best LogBlocks must come first. Calls do not overlap.
 */
public final class CordwoodSplitSource implements ConnectorSplitSource {
    /** Plans the LogBlocks of one table. */
    public interface Planner {
        List<ScannedLogBlock> plan(TableVersion table, ScanFilter filter);
    }

    /** The number of LogBlocks that suffices to choose a good grouping into splits. */
    private static final int ENOUGH_LOGBLOCKS = 1024;

    private final Supplier<CompletableFuture<List<HotPart>>> hotParts;
    private final Deque<TableVersion> tables;
    private final Planner planner;
    private final ScanFilter filter;
    private final SplitGrouping grouping;
    private final SplitSettings settings;
    private final CordwoodTableHandle table;
    private final boolean conditional;
    private final PlanMetrics metrics;
    private final ScanTotals totals;
    private final ExecutorService executor;
    private final Deque<CordwoodSplit> ready = new ArrayDeque<>();
    private boolean hotPlanned;
    private volatile boolean finished;
    private boolean closed;

    /**
     * @param hotParts plans the reads from Kafka; called once, before anything else
     * @param tables the tables to read LogBlocks of
     * @param totals receives the planning counts at the end
     */
    public CordwoodSplitSource(
            Supplier<CompletableFuture<List<HotPart>>> hotParts,
            List<TableVersion> tables,
            Planner planner,
            ScanFilter filter,
            CordwoodTableHandle table,
            SplitGrouping grouping,
            SplitSettings settings,
            PlanMetrics metrics,
            ScanTotals totals,
            ExecutorService executor) {
        this.hotParts = hotParts;
        this.tables = new ArrayDeque<>(filter.isNone() || !filter.admitsTier(ScanBindings.COLD) ? List.of() : tables);
        this.planner = planner;
        this.filter = filter;
        this.grouping = grouping;
        this.settings = settings;
        this.table = table;
        this.conditional = !filter.conjuncts().isEmpty() || !filter.time().equals(TimeRange.ALL);
        this.metrics = metrics;
        this.totals = totals;
        this.executor = executor;
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter) {
        TupleDomain<ColumnHandle> learnt =
                settings.usesDynamicFilter() ? dynamicFilter.currentPredicate() : TupleDomain.all();
        if (hotPlanned) {
            return CompletableFuture.supplyAsync(() -> QueryErrors.call(() -> nextBatch(maxSize, learnt)), executor);
        }
        hotPlanned = true;
        return hotParts.get()
                .thenApplyAsync(
                        parts -> {
                            parts.forEach(part -> ready.add(new CordwoodHotSplit(part)));
                            return QueryErrors.call(() -> nextBatch(maxSize, learnt));
                        },
                        executor);
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis() {
        return settings.usesDynamicFilter() ? settings.dynamicFilterWait().toMillis() : 0;
    }

    private List<ConnectorSplit> nextBatch(int maxSize, TupleDomain<ColumnHandle> learnt) {
        ScanFilter narrowed = filter.and(ScanFilters.learnt(table, learnt));
        if (narrowed.isNone()) {
            tables.clear();
        }
        if (table.topN().isPresent()) {
            planAll(table.topN().get());
        }
        while (ready.size() < maxSize && !tables.isEmpty()) {
            List<ScannedLogBlock> logBlocks = new ArrayList<>();
            while (logBlocks.size() < ENOUGH_LOGBLOCKS && !tables.isEmpty()) {
                TableVersion next = tables.poll();
                if (narrowed.admitsTenant(next.tenantId())) {
                    logBlocks.addAll(planner.plan(next, narrowed));
                }
            }
            add(grouping.any(logBlocks, narrowed.time(), settings.cutsLogBlocks()));
        }
        List<ConnectorSplit> batch = new ArrayList<>();
        while (batch.size() < maxSize && !ready.isEmpty()) {
            batch.add(ready.poll());
        }
        finished = ready.isEmpty() && tables.isEmpty();
        return batch;
    }

    private void add(List<LogBlockGroup> groups) {
        groups.forEach(group -> ready.add(CordwoodLogBlocksSplit.of(group)));
    }

    private void planAll(TopN top) {
        if (tables.isEmpty()) {
            return;
        }
        List<ScannedLogBlock> all = new ArrayList<>();
        tables.forEach(table -> all.addAll(planner.plan(table, filter)));
        tables.clear();
        List<ScannedLogBlock> best = all.stream()
                .sorted(
                        top.newest()
                                ? Comparator.comparingLong(ScannedLogBlock::toMicros)
                                        .reversed()
                                : Comparator.comparingLong(ScannedLogBlock::fromMicros))
                .collect(toImmutableList());
        List<ScannedLogBlock> needed = conditional ? best : firstWithEnoughRows(best, top);
        add(grouping.ordered(needed));
        metrics.prunedByTopN.add(all.size() - needed.size());
    }

    /** Without conditions, drops LogBlocks that lie entirely beyond the first n rows. */
    private static List<ScannedLogBlock> firstWithEnoughRows(List<ScannedLogBlock> best, TopN top) {
        Comparator<ScannedLogBlock> byFarEnd = top.newest()
                ? Comparator.comparingLong(ScannedLogBlock::fromMicros).reversed()
                : Comparator.comparingLong(ScannedLogBlock::toMicros);
        long rows = 0;
        for (ScannedLogBlock split : best.stream().sorted(byFarEnd).toList()) {
            rows += split.certainRows();
            if (rows >= top.count()) {
                return best.stream()
                        .filter(each -> top.newest()
                                ? each.toMicros() >= split.fromMicros()
                                : each.fromMicros() <= split.toMicros())
                        .toList();
            }
        }
        return best;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public Metrics getMetrics() {
        return ConnectorMetrics.of(metrics.counts());
    }

    @Override
    public void close() {
        finished = true;
        if (!closed) {
            closed = true;
            totals.add(metrics.counts());
        }
    }
}
