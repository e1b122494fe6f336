package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.table.TableVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * The parts of one scan, found on demand: first those of the hot rows, then LogBlocks. It plans tables one after
 * another, so that a scan over many tenants starts at once; for a top-n it plans all tables first, since the best
 * LogBlocks must come first. Calls must not overlap, but may come from different threads.
 */
public final class ScanPlan {
    /** Plans the LogBlocks of one table. */
    @FunctionalInterface
    interface TablePlanner {
        List<ScannedLogBlock> plan(TableVersion table, ScanFilter filter);
    }

    /** The number of LogBlocks that suffices to choose a good grouping. */
    private static final int ENOUGH_LOGBLOCKS = 1024;

    private final PlanRequest request;
    private final Supplier<CompletableFuture<List<HotPart>>> hotParts;
    private final Deque<TableVersion> tables;
    private final TablePlanner planner;
    private final SplitGrouping grouping;
    private final PlanMetrics metrics;
    private final ExecutorService threads;
    private final Deque<ScanPart> ready = new ArrayDeque<>();
    private boolean hotPlanned;
    private volatile boolean finished;

    /**
     * @param hotParts plans the reads from Kafka; called once, before anything else
     * @param tables the tables to read LogBlocks of
     * @param threads threads that read manifests
     */
    ScanPlan(
            PlanRequest request,
            Supplier<CompletableFuture<List<HotPart>>> hotParts,
            List<TableVersion> tables,
            TablePlanner planner,
            PlanMetrics metrics,
            ExecutorService threads) {
        ScanFilter filter = request.filter();
        this.request = request;
        this.hotParts = hotParts;
        this.tables = new ArrayDeque<>(filter.isNone() || !filter.admitsTier(ScanBindings.COLD) ? List.of() : tables);
        this.planner = planner;
        this.grouping = new SplitGrouping(request.readers());
        this.metrics = metrics;
        this.threads = threads;
    }

    /**
     * The next parts, possibly none. The future fails with a {@link QueryException} if a log end, manifest or delete
     * file cannot be read.
     *
     * @param most the maximum number of parts
     * @param learnt further conditions on the requested rows that are known by now; a top-n takes none
     */
    public CompletableFuture<List<ScanPart>> next(int most, ScanFilter learnt) {
        if (hotPlanned) {
            return CompletableFuture.supplyAsync(() -> nextParts(most, learnt), threads);
        }
        hotPlanned = true;
        return hotParts.get()
                .thenApplyAsync(
                        parts -> {
                            ready.addAll(parts);
                            return nextParts(most, learnt);
                        },
                        threads);
    }

    private List<ScanPart> nextParts(int most, ScanFilter learnt) {
        ScanFilter narrowed = request.filter().and(learnt);
        if (narrowed.isNone()) {
            tables.clear();
        }
        request.topN().ifPresent(this::planAll);
        while (ready.size() < most && !tables.isEmpty()) {
            List<ScannedLogBlock> logBlocks = new ArrayList<>();
            while (logBlocks.size() < ENOUGH_LOGBLOCKS && !tables.isEmpty()) {
                TableVersion next = tables.poll();
                if (narrowed.admitsTenant(next.tenantId())) {
                    logBlocks.addAll(planner.plan(next, narrowed));
                }
            }
            ready.addAll(grouping.any(logBlocks, narrowed.time(), request.cutsLogBlocks()));
        }
        List<ScanPart> parts = new ArrayList<>();
        while (parts.size() < most && !ready.isEmpty()) {
            parts.add(ready.poll());
        }
        finished = ready.isEmpty() && tables.isEmpty();
        return parts;
    }

    private void planAll(TopN top) {
        if (tables.isEmpty()) {
            return;
        }
        List<ScannedLogBlock> all = new ArrayList<>();
        tables.forEach(table -> all.addAll(planner.plan(table, request.filter())));
        tables.clear();
        List<ScannedLogBlock> best = all.stream()
                .sorted(
                        top.newest()
                                ? Comparator.comparingLong(ScannedLogBlock::toMicros)
                                        .reversed()
                                : Comparator.comparingLong(ScannedLogBlock::fromMicros))
                .toList();
        List<ScannedLogBlock> needed = isConditional() ? best : firstWithEnoughRows(best, top);
        ready.addAll(grouping.ordered(needed));
        metrics.prunedByTopN.add(all.size() - needed.size());
    }

    private boolean isConditional() {
        return !request.filter().conjuncts().isEmpty()
                || !request.filter().time().equals(TimeRange.ALL);
    }

    /** Without conditions, drops LogBlocks that lie entirely beyond the first n rows. */
    private static List<ScannedLogBlock> firstWithEnoughRows(List<ScannedLogBlock> best, TopN top) {
        Comparator<ScannedLogBlock> byFarEnd = top.newest()
                ? Comparator.comparingLong(ScannedLogBlock::fromMicros).reversed()
                : Comparator.comparingLong(ScannedLogBlock::toMicros);
        long rows = 0;
        for (ScannedLogBlock far : best.stream().sorted(byFarEnd).toList()) {
            rows += far.certainRows();
            if (rows >= top.count()) {
                return best.stream()
                        .filter(each -> top.newest()
                                ? each.toMicros() >= far.fromMicros()
                                : each.fromMicros() <= far.toMicros())
                        .toList();
            }
        }
        return best;
    }

    /** Whether {@link #next} has returned all parts. */
    public boolean isFinished() {
        return finished;
    }

    /** The counts so far, by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    public Map<String, Long> counts() {
        return metrics.counts();
    }
}
