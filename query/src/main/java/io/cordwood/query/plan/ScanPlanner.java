package io.cordwood.query.plan;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** Plans scans: selects their tables, the LogBlocks of these, and the offsets to read from Kafka. Thread-safe. */
public final class ScanPlanner {
    /** A part of a LogBlock has at least this number of rows. */
    public static final long MIN_PART_ROWS = SplitGrouping.MIN_PART_ROWS;
    /** A part of the hot rows has at least this number of offsets, if there are as many. */
    public static final long MIN_PART_OFFSETS = HotPlanner.MIN_OFFSETS;

    private final LogBlockPlanner logBlocks;
    private final HotTierReader hotTier;
    private final ExecutorService threads;

    /** @param threads threads that read manifests */
    public ScanPlanner(LogBlockPlanner logBlocks, HotTierReader hotTier, ExecutorService threads) {
        this.logBlocks = logBlocks;
        this.hotTier = hotTier;
        this.threads = threads;
    }

    /**
     * Selects the tables of a scan; the plan finds their parts on demand.
     *
     * @throws QueryException CATALOG_ERROR, INVALID_METADATA if a table cannot be read
     */
    public ScanPlan plan(QuerySnapshot snapshot, PlanRequest request) {
        PlanMetrics metrics = new PlanMetrics();
        HotPlanner hot = new HotPlanner(snapshot, request, metrics);
        List<TableVersion> tables;
        ScanBindings bindings;
        Supplier<List<HotPart>> hotParts;
        switch (request.target()) {
            case ScanTarget.OneTenant(String tenantId) -> {
                tables = snapshot.table(tenantId, request.stream()).stream().toList();
                bindings = snapshot.limit(tenantId, request.stream())
                        .map(ScanBindings::ofDeletion)
                        .orElseGet(() -> ScanBindings.ofTenant(ScanBindings.COLD));
                hotParts = () -> tables.stream()
                        .flatMap(table -> hot.ofTenant(table).stream())
                        .toList();
            }
            case ScanTarget.AllTenants(Map<String, QueryColumn> shown) -> {
                tables = snapshot.tables(request.stream(), request.filter()::admitsTenant);
                metrics.tablesPrunedByTenant.add(
                        snapshot.pointers(request.stream()).size() - tables.size());
                bindings = ScanBindings.ofAllTenants(ScanBindings.COLD, shown);
                hotParts = () -> hot.ofAllTenants(tables, shown);
            }
        }
        metrics.tables.add(tables.size());
        return new ScanPlan(
                request,
                readsHotTier(snapshot, request)
                        ? () -> hotTier.plan(hotParts)
                        : () -> CompletableFuture.completedFuture(List.of()),
                tables,
                (table, filter) -> logBlocks.plan(
                        table, filter, bindings.bind(table), request.options().useTokenFilters(), metrics),
                metrics,
                threads);
    }

    private static boolean readsHotTier(QuerySnapshot snapshot, PlanRequest request) {
        boolean isOfDeletion = request.target() instanceof ScanTarget.OneTenant(String tenantId)
                && snapshot.limit(tenantId, request.stream()).isPresent();
        return request.options().readsHotTier() && !isOfDeletion && admitsHotRows(request.filter());
    }

    private static boolean admitsHotRows(ScanFilter filter) {
        return !filter.isNone() && filter.admitsTier(ScanBindings.HOT);
    }

    /** Estimates the LogBlocks that a scan of one tenant's table reads. */
    public ScanSize size(TableVersion table, ScanFilter filter) {
        List<ScannedLogBlock> read = logBlocks.plan(
                table, filter, ScanBindings.ofTenant(ScanBindings.COLD).bind(table), false, new PlanMetrics());
        return new ScanSize(
                read.size(),
                read.stream()
                        .mapToLong(logBlock ->
                                TimeOverlap.of(logBlock, filter.time()).rows())
                        .sum());
    }

    /**
     * The maximum number of hot offsets that a scan of one tenant's table reads. This requests the log ends, so the
     * pointers of all tables of the query must have been read before.
     */
    public long hotOffsets(QuerySnapshot snapshot, TableVersion table, ScanFilter filter) {
        boolean isOfDeletion = snapshot.limit(table.tenantId(), table.stream()).isPresent();
        return isOfDeletion || !admitsHotRows(filter)
                ? 0
                : snapshot.unarchived(table).stream()
                        .mapToLong(OffsetSpan::length)
                        .sum();
    }
}
