package io.cordwood.query.search;

import io.cordwood.hot.ReadLimits;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.query.plan.PlanRequest;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.scan.HotScans;
import io.cordwood.query.scan.LogBlockCache;
import io.cordwood.query.scan.ReadSettings;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.usage.ScanMeter;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Opens tables for questions. Immutable and thread-safe.
 *
 * @param planner plans scans
 * @param logBlocks LogBlocks on storage
 * @param hotScans rows that are still in Kafka
 * @param meter counts the bytes that questions read
 * @param settings the optimisations of reading
 * @param options the tiers and optimisations of planning
 * @param threads threads that read beside the caller's; it rejects work while none is free
 */
public record TableReads(
        ScanPlanner planner,
        LogBlockCache logBlocks,
        HotScans hotScans,
        ScanMeter meter,
        ReadSettings settings,
        PlanRequest.Options options,
        Executor threads) {
    /** All optimisations, and both tiers. */
    public static final ReadSettings ALL_OPTIMISATIONS = new ReadSettings(ReadOptions.DEFAULTS, true, true, true);

    /** Both tiers. */
    public static final PlanRequest.Options BOTH_TIERS = new PlanRequest.Options(true, true, Optional.empty());

    /** Opens a tenant's table for one question, whose answer is wanted in any case. */
    public Optional<TableScan> open(QuerySnapshot snapshot, String tenantId, String stream, ScanLimits limits) {
        return open(snapshot, tenantId, stream, limits, () -> false);
    }

    /**
     * Opens a tenant's table for one question; its time begins now. Empty if there is no such tenant or stream.
     *
     * @param snapshot a new snapshot
     * @param isGivenUp whether the answer is no longer wanted: then its work ends; asked often, by several threads
     */
    public Optional<TableScan> open(
            QuerySnapshot snapshot, String tenantId, String stream, ScanLimits limits, BooleanSupplier isGivenUp) {
        snapshot.readLogEndsAhead(stream);
        return snapshot.table(tenantId, stream)
                .or(() -> snapshot.arrivingTable(
                        tenantId, stream, new ReadLimits(limits.maxHotBytes(), limits.timeout())))
                .map(table -> new TableScan(this, snapshot, table, new ScanBudget(limits, isGivenUp)));
    }
}
