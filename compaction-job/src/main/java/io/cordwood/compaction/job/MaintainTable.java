package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.maintenance.Deletions;
import io.cordwood.catalog.maintenance.OrphanCleaner;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.maintenance.SnapshotExpiry;
import io.cordwood.catalog.maintenance.TableMaintenance;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.DenseAfter;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.compaction.job.TableCheck.Days;
import io.cordwood.compaction.merge.TableDay;
import io.cordwood.compaction.plan.LogBlockEntry;
import io.cordwood.compaction.plan.Merge;
import io.cordwood.compaction.plan.MergePlanner;
import io.cordwood.compaction.plan.MergePlanner.Effort;
import io.cordwood.compaction.plan.MergeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains a table: drops expired data, cleans up, and finds the merges that pay. If a table cannot be read, its
 * report has no merges.
 *
 * <p>The operator remembers its last check of each table. So a table without new commits costs nothing until one of its
 * days closes or is due for the dense layout, and a table that keeps getting rows costs only the manifests of its last
 * days. Within an hour of a commit it checks all days, as rows may be late.
 */
public final class MaintainTable extends RichMapFunction<TableVisit, TableReport> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(MaintainTable.class);
    private static final MergeTask[] NONE = new MergeTask[0];
    private static final int RECENT_DAYS = 2;
    /** Merges for the layout are done in every tenth cycle: the others do not wait for them. */
    private static final int CYCLES_FOR_LAYOUT = 10;

    private final CatalogFactory factory;
    private final long targetBytes;
    private final boolean isFull;
    private final long snapshotGraceMillis;
    private final long orphanIntervalMillis;
    /** 0: never. */
    private final int denseAfterDays;

    private transient CatalogClient catalog;
    private transient MergePlanner planner;
    private transient Map<String, TableCheck> checks;
    private transient TableMaintenance maintenance;
    private transient Deletions deletions;

    /**
     * @param targetBytes target size of a LogBlock
     * @param isFull whether to do every merge that reduces the number of LogBlocks
     * @param snapshotGrace how long a snapshot stays readable after a newer one has replaced it
     * @param orphanInterval time between two searches of a table for orphans
     * @param denseAfterDays how many days after its end a day gets the dense layout, in tables without the property;
     *     empty: never
     */
    public MaintainTable(
            CatalogFactory factory,
            long targetBytes,
            boolean isFull,
            Duration snapshotGrace,
            Duration orphanInterval,
            OptionalInt denseAfterDays) {
        this.factory = factory;
        this.targetBytes = targetBytes;
        this.isFull = isFull;
        this.snapshotGraceMillis = snapshotGrace.toMillis();
        this.orphanIntervalMillis = orphanInterval.toMillis();
        this.denseAfterDays = denseAfterDays.orElse(0);
    }

    @Override
    public void open(OpenContext context) {
        catalog = factory.connect();
        checks = new HashMap<>();
        planner = new MergePlanner(MergeSettings.ofTarget(targetBytes));
        maintenance = new TableMaintenance(
                catalog.io(),
                new Retention(catalog.catalog()),
                new SnapshotExpiry(catalog.catalog(), Duration.ofMillis(snapshotGraceMillis)),
                new OrphanCleaner(catalog.catalog()),
                Duration.ofMillis(orphanIntervalMillis));
        deletions = new Deletions(catalog);
        Count.register(getRuntimeContext(), EnumSet.range(Count.TABLES, Count.DELETIONS_GONE));
    }

    @Override
    public TableReport map(TableVisit visit) throws InterruptedException {
        count(Count.TABLES, 1);
        MergeTask[] merges = NONE;
        try {
            maintain(visit);
        } catch (RuntimeException e) {
            failed(visit, "maintain", e);
        }
        try {
            merges = merges(visit);
        } catch (RuntimeException e) {
            failed(visit, "plan merges of", e);
        }
        return new TableReport(visit.cycle(), visit.tables(), merges);
    }

    private void failed(TableVisit visit, String what, RuntimeException failure) {
        count(Count.TABLES_FAILED, 1);
        LOG.warn(
                "Cannot {} stream '{}' of tenant '{}'; the next cycle tries again",
                what,
                visit.stream(),
                visit.tenantId(),
                failure);
    }

    private void maintain(TableVisit visit) throws InterruptedException {
        OptionalInt retentionDays =
                visit.retentionDays() == 0 ? OptionalInt.empty() : OptionalInt.of(visit.retentionDays());
        Instant now = Instant.ofEpochMilli(visit.nowMillis());
        Instant expiry = Instant.ofEpochMilli(visit.expiryMillis());
        TableMaintenance.Result result;
        try {
            result = maintenance.run(visit.pointer(), visit.stream(), retentionDays, now, expiry);
        } catch (NotFoundException e) {
            // The cycle began so long ago that its metadata file has been deleted meanwhile
            List<TablePointer> pointers =
                    catalog.pointers(visit.stream(), List.of(visit.tenantId())).tables();
            if (pointers.isEmpty()) {
                return;
            }
            result = maintenance.run(pointers.getFirst(), visit.stream(), retentionDays, now, expiry);
        }
        count(Count.LOGBLOCKS_EXPIRED, result.dropped().logBlocks());
        count(Count.ROWS_EXPIRED, result.dropped().rows());
        count(Count.SNAPSHOTS_EXPIRED, result.maintained().snapshotsExpired());
        count(Count.MANIFESTS_MERGED, result.maintained().manifestsMerged());
        count(Count.ORPHANS_DELETED, result.cleaned().deleted());
        if (visit.hasDeletions()) {
            count(
                    Count.DELETIONS_GONE,
                    deletions
                            .settle(visit.tenantId(), visit.stream(), now.toEpochMilli())
                            .size());
        }
    }

    private void count(Count count, long value) {
        count.add(getRuntimeContext(), value);
    }

    private MergeTask[] merges(TableVisit visit) {
        TableCheck last = checks.getOrDefault(visit.key(), TableCheck.ALL_DUE);
        long now = System.currentTimeMillis();
        long tick = System.nanoTime();
        boolean isForLayout = visit.cycle() % CYCLES_FOR_LAYOUT == 0;
        Days due = last.daysDue(visit.metadataLocation(), now, tick, isForLayout);
        if (due == Days.NONE) {
            return NONE;
        }
        Table table;
        try {
            table = catalog.catalog().loadTable(TenantNames.table(visit.tenantId(), visit.stream()));
        } catch (NoSuchTableException e) {
            // Dropped since the tables were listed
            return NONE;
        }
        boolean hasDeletes = hasDeletes(table.currentSnapshot());
        boolean isAllDays = due == Days.ALL || hasDeletes;
        OptionalInt denseAfter = denseAfter(visit, table);
        List<TableDay> days = isAllDays ? TableDay.all(table) : TableDay.since(table, today(now) - RECENT_DAYS);
        List<MergeTask> tasks = new ArrayList<>();
        boolean hasMerges = false;
        boolean hasMergesForLayout = false;
        for (TableDay day : days) {
            // By the earliest clock: one that is ahead would rewrite everything
            boolean isDense = DayTimes.isDense(day.epochDay(), denseAfter, visit.retentionDays(), visit.expiryMillis());
            for (Merge merge : planner.plan(day.entries(table), effort(day, now), isDense)) {
                hasMerges |= !merge.isForLayout();
                hasMergesForLayout |= merge.isForLayout();
                if (isForLayout || !merge.isForLayout()) {
                    tasks.add(task(visit, day, merge, isDense));
                }
            }
        }
        long next = hasDeletes
                ? 0
                : DayTimes.nextChange(
                        days.stream().mapToInt(TableDay::epochDay), denseAfter, Math.min(now, visit.expiryMillis()));
        checks.put(
                visit.key(),
                isAllDays
                        ? TableCheck.ofAllDays(visit.metadataLocation(), hasMerges, hasMergesForLayout, tick, next)
                        : last.thenRecentDays(visit.metadataLocation(), hasMerges, hasMergesForLayout));
        return tasks.toArray(MergeTask[]::new);
    }

    private OptionalInt denseAfter(TableVisit visit, Table table) {
        OptionalInt ofJob = DenseAfter.ofNumber(denseAfterDays);
        try {
            return DenseAfter.days(table.properties(), ofJob);
        } catch (IllegalArgumentException e) {
            LOG.warn("Table {} of '{}': {}; it counts as never", visit.stream(), visit.tenantId(), e.getMessage());
            return OptionalInt.empty();
        }
    }

    /** Deleted rows may be of any day, and must not stay for long. */
    private static boolean hasDeletes(Snapshot snapshot) {
        return snapshot != null
                && !snapshot.summary()
                        .getOrDefault(SnapshotSummary.TOTAL_DELETE_FILES_PROP, "0")
                        .equals("0");
    }

    private static int today(long millis) {
        return (int) Duration.ofMillis(millis).toDays();
    }

    private Effort effort(TableDay day, long now) {
        if (isFull) {
            return Effort.FULL;
        }
        return now < DayTimes.closesMillis(day.epochDay()) ? Effort.OPEN_DAY : Effort.CLOSED_DAY;
    }

    private static MergeTask task(TableVisit visit, TableDay day, Merge merge, boolean isDense) {
        return new MergeTask(
                visit.tenantId(),
                visit.stream(),
                day.epochDay(),
                merge.inputs().stream().map(LogBlockEntry::location).toArray(String[]::new),
                merge.outputs(),
                merge.bytes(),
                merge.gainPerByte(),
                merge.removesDeletes(),
                merge.isForLayout(),
                isDense);
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
    }
}
