package io.cordwood.catalog;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.Pointers.TablePointer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;

/**
 * What is to be done with each table again and again, beside merging LogBlocks: {@link Retention}, {@link
 * TableMaintenance} and {@link OrphanCleaner}, each when there is something for it to do. Thread-safe.
 *
 * <p>It remembers of each table what its metadata said, by the location of the metadata file, which never changes: a table
 * that nothing was committed to costs no request at all, until its oldest day expires. One that was committed to costs
 * two reads of objects, the metadata file and the manifest list; the catalog is asked only if there is something to do.
 */
public final class TableUpkeep {
    /** How often a table is looked through for orphans. */
    public static final Duration DEFAULT_ORPHAN_INTERVAL = Duration.ofDays(1);

    private final FileIO io;
    private final Retention retention;
    private final TableMaintenance maintenance;
    private final OrphanCleaner orphans;
    private final Duration orphanInterval;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** Keeps the tables of this catalog. */
    public TableUpkeep(CatalogClient catalog) {
        this(
                catalog.io(),
                new Retention(catalog.catalog()),
                new TableMaintenance(catalog.catalog()),
                new OrphanCleaner(catalog.catalog()),
                DEFAULT_ORPHAN_INTERVAL);
    }

    /** @param orphanInterval how often a table is looked through for orphans; the first time is somewhere within it */
    public TableUpkeep(
            FileIO io,
            Retention retention,
            TableMaintenance maintenance,
            OrphanCleaner orphans,
            Duration orphanInterval) {
        this.io = requireNonNull(io, "io is null");
        this.retention = requireNonNull(retention, "retention is null");
        this.maintenance = requireNonNull(maintenance, "maintenance is null");
        this.orphans = requireNonNull(orphans, "orphans is null");
        this.orphanInterval = requireNonNull(orphanInterval, "orphanInterval is null");
    }

    /**
     * What was done for a table. Immutable.
     *
     * @param dropped by retention
     * @param maintained snapshots and manifests
     * @param cleaned orphans
     * @param changed whether the table's metadata is another now: its pointer is to be read again
     */
    public record Result(
            Retention.Dropped dropped,
            TableMaintenance.Done maintained,
            OrphanCleaner.Cleaned cleaned,
            boolean changed) {
        static final Result NOTHING = new Result(
                Retention.Dropped.NOTHING, TableMaintenance.Done.NOTHING, OrphanCleaner.Cleaned.NOTHING, false);
    }

    /**
     * What the metadata of a table said.
     *
     * @param oldestDay no later than the first day that it has a LogBlock of
     * @param maintainAtMillis when its snapshots or manifests are to be looked after
     */
    private record Known(String metadataLocation, long oldestDay, long maintainAtMillis, long orphansAtMillis) {}

    /**
     * Does for a table what is due.
     *
     * @param retentionDays how long its rows are kept; empty: for ever
     * @throws TableCommitException if expired days cannot be dropped
     * @throws RuntimeException if metadata cannot be read
     * @throws InterruptedException if interrupted between attempts to commit
     */
    public Result run(TablePointer pointer, String stream, OptionalInt retentionDays, Instant now)
            throws InterruptedException {
        String key = pointer.namespace() + "/" + stream;
        Known table = known(key, pointer, now);
        Result result = run(table, pointer.tenantId(), stream, retentionDays, now);
        // What was committed is seen when the pointer is read again.
        known.put(
                key,
                new Known(
                        table.metadataLocation(),
                        // Bounds of manifests may still tell of days that are gone.
                        retentionDays.isPresent()
                                ? Math.max(table.oldestDay(), firstKeptDay(now, retentionDays.getAsInt()))
                                : table.oldestDay(),
                        result.changed() ? Long.MAX_VALUE : table.maintainAtMillis(),
                        now.toEpochMilli() < table.orphansAtMillis()
                                ? table.orphansAtMillis()
                                : now.plus(orphanInterval).toEpochMilli()));
        return result;
    }

    private Result run(Known table, String tenantId, String stream, OptionalInt retentionDays, Instant now)
            throws InterruptedException {
        Retention.Dropped dropped = Retention.Dropped.NOTHING;
        TableMaintenance.Done maintained = TableMaintenance.Done.NOTHING;
        OrphanCleaner.Cleaned cleaned = OrphanCleaner.Cleaned.NOTHING;
        if (retentionDays.isPresent() && table.oldestDay() < firstKeptDay(now, retentionDays.getAsInt())) {
            dropped = retention.apply(tenantId, stream, retentionDays.getAsInt(), now);
        }
        if (table.maintainAtMillis() <= now.toEpochMilli()) {
            maintained = maintenance.apply(tenantId, stream, now);
        }
        if (table.orphansAtMillis() <= now.toEpochMilli()) {
            cleaned = orphans.clean(tenantId, stream, now);
        }
        boolean changed =
                !dropped.equals(Retention.Dropped.NOTHING) || !maintained.equals(TableMaintenance.Done.NOTHING);
        return new Result(dropped, maintained, cleaned, changed);
    }

    private static long firstKeptDay(Instant now, int retentionDays) {
        return ExpiredFiles.firstKeptDay(now, retentionDays).toEpochDay();
    }

    private Known known(String key, TablePointer pointer, Instant now) {
        Known before = known.get(key);
        if (before != null && before.metadataLocation().equals(pointer.metadataLocation())) {
            return before;
        }
        long orphansAt = before == null
                ? now.toEpochMilli() + Math.floorMod(pointer.metadataLocation().hashCode(), orphanInterval.toMillis())
                : before.orphansAtMillis();
        TableMetadata metadata = TableMetadataParser.read(io, pointer.metadataLocation());
        return new Known(
                pointer.metadataLocation(), ExpiredFiles.oldestDay(metadata, io), maintainAt(metadata, now), orphansAt);
    }

    private long maintainAt(TableMetadata metadata, Instant now) {
        boolean due = maintenance.hasOldSnapshots(metadata, now)
                || (metadata.currentSnapshot() != null
                        && TableMaintenance.hasManyManifests(
                                metadata.currentSnapshot().dataManifests(io)));
        return due ? now.toEpochMilli() : maintenance.nextOldSnapshotMillis(metadata);
    }
}
