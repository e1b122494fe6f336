package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.maintenance.Deletions;
import io.cordwood.catalog.maintenance.OrphanCleaner;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.maintenance.SnapshotExpiry;
import io.cordwood.catalog.maintenance.TableMaintenance;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
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
 * <p>The operator remembers its last check of each table. So a table without new commits costs nothing until one of
 * its days closes, and a table that keeps getting rows costs only the manifests of its last days. Within an hour of a
 * commit it checks all days, as rows may be late.
 */
public final class MaintainTable extends RichMapFunction<TableVisit, TableReport> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(MaintainTable.class);
    private static final MergeTask[] NONE = new MergeTask[0];
    /**
     * Rows that come later than this after the end of their day are late. It is an hour more than the ingest job lets
     * very few rows wait by default.
     */
    private static final Duration LATE = Duration.ofHours(7);

    private static final int RECENT_DAYS = 2;

    private final CatalogFactory factory;
    private final long targetBytes;
    private final boolean isFull;
    private final long snapshotGraceMillis;
    private final long orphanIntervalMillis;
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
     */
    public MaintainTable(
            CatalogFactory factory, long targetBytes, boolean isFull, Duration snapshotGrace, Duration orphanInterval) {
        this.factory = factory;
        this.targetBytes = targetBytes;
        this.isFull = isFull;
        this.snapshotGraceMillis = snapshotGrace.toMillis();
        this.orphanIntervalMillis = orphanInterval.toMillis();
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
        Days due = last.daysDue(visit.metadataLocation(), now, tick);
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
        List<TableDay> days = isAllDays ? TableDay.all(table) : TableDay.since(table, today(now) - RECENT_DAYS);
        List<MergeTask> tasks = new ArrayList<>();
        for (TableDay day : days) {
            for (Merge merge : planner.plan(day.entries(table), effort(day, now))) {
                tasks.add(task(visit, day, merge));
            }
        }
        boolean hasMerges = !tasks.isEmpty();
        checks.put(
                visit.key(),
                isAllDays
                        ? TableCheck.ofAllDays(
                                visit.metadataLocation(), hasMerges, tick, hasDeletes ? 0 : nextClose(days, now))
                        : last.thenRecentDays(visit.metadataLocation(), hasMerges));
        return tasks.toArray(MergeTask[]::new);
    }

    /** When the first of the days that still get rows closes. */
    private static long nextClose(List<TableDay> days, long now) {
        return days.stream()
                .mapToLong(MaintainTable::closesMillis)
                .filter(closes -> closes > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Later rows of the day are late, so the day is worth more merges. */
    private static long closesMillis(TableDay day) {
        return Duration.ofDays(day.epochDay() + 1L).plus(LATE).toMillis();
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
        return now < closesMillis(day) ? Effort.OPEN_DAY : Effort.CLOSED_DAY;
    }

    private static MergeTask task(TableVisit visit, TableDay day, Merge merge) {
        return new MergeTask(
                visit.tenantId(),
                visit.stream(),
                day.epochDay(),
                merge.inputs().stream().map(LogBlockEntry::location).toArray(String[]::new),
                merge.outputs(),
                merge.bytes(),
                merge.gainPerByte(),
                merge.removesDeletes());
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
    }
}
