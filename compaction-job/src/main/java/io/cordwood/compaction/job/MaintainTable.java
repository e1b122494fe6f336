package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.maintenance.Deletions;
import io.cordwood.catalog.maintenance.OrphanCleaner;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.maintenance.SnapshotExpiry;
import io.cordwood.catalog.maintenance.TableMaintenance;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.tenant.TenantNames;
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
import java.util.OptionalLong;
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
 * Looks at a table: drops what has expired, cleans up, and finds the merges that pay. A table that cannot be read is
 * reported without merges.
 *
 * <p>What it found is remembered, so that a table that nothing was committed to costs nothing, and one that rows keep
 * coming to costs the manifests of its last days; once in an hour all days are looked at, as rows may be late and days
 * end.
 */
public final class MaintainTable extends RichMapFunction<TableVisit, TableReport> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(MaintainTable.class);
    private static final MergeTask[] NONE = new MergeTask[0];
    /** Rows of a day that come later than this after its end are late. */
    private static final Duration LATE = Duration.ofHours(1);

    private static final Duration ALL_DAYS_INTERVAL = Duration.ofHours(1);
    private static final int RECENT_DAYS = 2;

    private final CatalogFactory factory;
    private final long targetBytes;
    private final boolean isFull;
    private final long snapshotGraceMillis;
    private final long orphanIntervalMillis;
    private transient CatalogClient catalog;
    private transient MergePlanner planner;
    private transient Map<String, Look> looks;
    private transient TableMaintenance upkeep;
    private transient Deletions deletions;

    /**
     * The last look at a table.
     *
     * @param metadataLocation where its metadata was; empty if merges were found, which change it
     * @param allDaysNanos tick at which all its days were looked at; empty if that is to be done again
     */
    private record Look(String metadataLocation, OptionalLong allDaysNanos) {
        boolean isAllDaysDue() {
            return allDaysNanos.isEmpty()
                    || System.nanoTime() - allDaysNanos.getAsLong() >= ALL_DAYS_INTERVAL.toNanos();
        }
    }

    /**
     * @param targetBytes size that a LogBlock should have
     * @param isFull whether everything is merged that makes the LogBlocks fewer
     * @param snapshotGrace how long a snapshot can be read after another one has taken its place
     * @param orphanInterval how often a table is looked through for orphans
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
        looks = new HashMap<>();
        planner = new MergePlanner(MergeSettings.ofTarget(targetBytes));
        upkeep = new TableMaintenance(
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
            keep(visit);
        } catch (RuntimeException e) {
            failed(visit, "keep in order", e);
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

    private void keep(TableVisit visit) throws InterruptedException {
        OptionalInt retentionDays =
                visit.retentionDays() == 0 ? OptionalInt.empty() : OptionalInt.of(visit.retentionDays());
        Instant now = Instant.ofEpochMilli(visit.nowMillis());
        Instant expiry = Instant.ofEpochMilli(visit.expiryMillis());
        TableMaintenance.Result result;
        try {
            result = upkeep.run(visit.pointer(), visit.stream(), retentionDays, now, expiry);
        } catch (NotFoundException e) {
            // The cycle began so long ago that the metadata file has been deleted since
            List<TablePointer> pointers =
                    catalog.pointers(visit.stream(), List.of(visit.tenantId())).tables();
            if (pointers.isEmpty()) {
                return;
            }
            result = upkeep.run(pointers.getFirst(), visit.stream(), retentionDays, now, expiry);
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
        Look last = looks.get(visit.key());
        if (last != null && last.metadataLocation().equals(visit.metadataLocation()) && !last.isAllDaysDue()) {
            return NONE;
        }
        Table table;
        try {
            table = catalog.catalog().loadTable(TenantNames.table(visit.tenantId(), visit.stream()));
        } catch (NoSuchTableException e) {
            // Dropped since the tables were listed
            return NONE;
        }
        long now = System.currentTimeMillis();
        long tick = System.nanoTime();
        boolean isAllDays = last == null || last.isAllDaysDue() || hasDeletes(table.currentSnapshot());
        List<MergeTask> tasks = new ArrayList<>();
        for (TableDay day : isAllDays ? TableDay.all(table) : TableDay.since(table, today(now) - RECENT_DAYS)) {
            for (Merge merge : planner.plan(day.entries(table), effort(day, now))) {
                tasks.add(task(visit, day, merge));
            }
        }
        looks.put(
                visit.key(),
                new Look(
                        tasks.isEmpty() ? visit.metadataLocation() : "",
                        // Merges of older days may be put off
                        isAllDays
                                ? (tasks.isEmpty() ? OptionalLong.of(tick) : OptionalLong.empty())
                                : last.allDaysNanos()));
        return tasks.toArray(MergeTask[]::new);
    }

    /** Deleted rows may be of any day, and are not to stay for long. */
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
        long end = Duration.ofDays(day.epochDay() + 1L).plus(LATE).toMillis();
        return now < end ? Effort.OPEN_DAY : Effort.CLOSED_DAY;
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
