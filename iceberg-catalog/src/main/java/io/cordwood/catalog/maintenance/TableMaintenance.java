package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;

/**
 * Recurring maintenance of each table, besides merges of LogBlocks: {@link Retention}, {@link SnapshotExpiry} and
 * {@link OrphanCleaner}, each when it has work to do. Thread-safe.
 *
 * <p>It remembers the content of each table's metadata, by the location of the metadata file, which never changes. A
 * table without new commits costs no request at all, until its oldest day expires. A table with new commits costs two
 * reads of objects, the metadata file and the manifest list. The catalog is asked only if there is work to do.
 */
public final class TableMaintenance {
    /** Default time between two searches of a table for orphans. */
    public static final Duration DEFAULT_ORPHAN_INTERVAL = Duration.ofDays(1);

    private final FileIO io;
    private final Retention retention;
    private final SnapshotExpiry snapshotExpiry;
    private final OrphanCleaner orphans;
    private final Duration orphanInterval;
    private final LongSupplier nanos;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** Creates the maintenance of this catalog's tables. */
    public TableMaintenance(CatalogClient catalog) {
        this(
                catalog.io(),
                new Retention(catalog.catalog()),
                new SnapshotExpiry(catalog.catalog()),
                new OrphanCleaner(catalog.catalog()),
                DEFAULT_ORPHAN_INTERVAL);
    }

    /** @param orphanInterval time between two searches of a table for orphans; the first is at some time within it */
    public TableMaintenance(
            FileIO io,
            Retention retention,
            SnapshotExpiry snapshotExpiry,
            OrphanCleaner orphans,
            Duration orphanInterval) {
        this(io, retention, snapshotExpiry, orphans, orphanInterval, System::nanoTime);
    }

    /** @param nanos ticker in nanoseconds for the time between two searches for orphans */
    TableMaintenance(
            FileIO io,
            Retention retention,
            SnapshotExpiry snapshotExpiry,
            OrphanCleaner orphans,
            Duration orphanInterval,
            LongSupplier nanos) {
        this.io = requireNonNull(io, "io is null");
        this.retention = requireNonNull(retention, "retention is null");
        this.snapshotExpiry = requireNonNull(snapshotExpiry, "snapshotExpiry is null");
        this.orphans = requireNonNull(orphans, "orphans is null");
        this.orphanInterval = requireNonNull(orphanInterval, "orphanInterval is null");
        this.nanos = nanos;
    }

    /**
     * Result of the maintenance of a table. Immutable.
     *
     * @param dropped result of retention
     * @param maintained result for snapshots and manifests
     * @param cleaned result for orphans
     * @param changed whether the table's metadata has changed, so that its pointer must be read again
     */
    public record Result(
            Retention.Dropped dropped, SnapshotExpiry.Done maintained, OrphanCleaner.Cleaned cleaned, boolean changed) {
        static final Result NOTHING = new Result(
                Retention.Dropped.NOTHING, SnapshotExpiry.Done.NOTHING, OrphanCleaner.Cleaned.NOTHING, false);
    }

    /**
     * Known facts of a table's metadata.
     *
     * @param oldestDay no later than the first day with a LogBlock
     * @param firstKeptDay the first kept day at the last drop of days: bounds of manifests may still include days that
     *     are gone; none if days were not checked
     * @param maintainAtMillis when its snapshots or manifests need maintenance
     * @param orphansAt tick of the next search for orphans
     */
    private record Known(
            String metadataLocation,
            long oldestDay,
            OptionalLong firstKeptDay,
            long maintainAtMillis,
            long orphansAt) {}

    /**
     * Does the maintenance of a table that is due.
     *
     * @param retentionDays how long its rows are kept; empty: for ever
     * @param now the present time, by the {@linkplain ClockReadings#earliestToTheHour earliest} clock to the hour;
     *     decides about snapshots
     * @param expiry the present time, by the {@linkplain ClockReadings#earliest earliest} clock; decides about the
     *     expiry of rows and orphans
     * @throws TableCommitException if expired days cannot be dropped
     * @throws RuntimeException if metadata cannot be read
     * @throws InterruptedException if interrupted between attempts to commit
     */
    public Result run(TablePointer pointer, String stream, OptionalInt retentionDays, Instant now, Instant expiry)
            throws InterruptedException {
        String key = pointer.namespace() + "/" + stream;
        long tick = nanos.getAsLong();
        Known table = known(key, pointer, now, tick);
        boolean orphansDue = tick - table.orphansAt() >= 0;
        Result result = run(table, orphansDue, pointer.tenantId(), stream, retentionDays, now, expiry);
        // The next read of the pointer shows commits.
        known.put(
                key,
                new Known(
                        table.metadataLocation(),
                        table.oldestDay(),
                        firstKeptDay(retentionDays, expiry),
                        result.changed() ? Long.MAX_VALUE : table.maintainAtMillis(),
                        orphansDue ? tick + orphanInterval.toNanos() : table.orphansAt()));
        return result;
    }

    private Result run(
            Known table,
            boolean orphansDue,
            String tenantId,
            String stream,
            OptionalInt retentionDays,
            Instant now,
            Instant expiry)
            throws InterruptedException {
        Retention.Dropped dropped = Retention.Dropped.NOTHING;
        SnapshotExpiry.Done maintained = SnapshotExpiry.Done.NOTHING;
        OrphanCleaner.Cleaned cleaned = OrphanCleaner.Cleaned.NOTHING;
        OptionalLong firstKeptDay = firstKeptDay(retentionDays, expiry);
        if (firstKeptDay.isPresent()
                && table.oldestDay() < firstKeptDay.getAsLong()
                && !table.firstKeptDay().equals(firstKeptDay)) {
            dropped = retention.apply(tenantId, stream, retentionDays.getAsInt(), expiry);
        }
        if (table.maintainAtMillis() <= now.toEpochMilli()) {
            maintained = snapshotExpiry.apply(tenantId, stream, now);
        }
        if (orphansDue) {
            cleaned = orphans.clean(tenantId, stream, expiry);
        }
        boolean changed = !dropped.equals(Retention.Dropped.NOTHING) || !maintained.equals(SnapshotExpiry.Done.NOTHING);
        return new Result(dropped, maintained, cleaned, changed);
    }

    private static OptionalLong firstKeptDay(OptionalInt retentionDays, Instant now) {
        return retentionDays.isPresent()
                ? OptionalLong.of(
                        ExpiredFiles.firstKeptDay(now, retentionDays.getAsInt()).toEpochDay())
                : OptionalLong.empty();
    }

    private Known known(String key, TablePointer pointer, Instant now, long tick) {
        Known before = known.get(key);
        if (before != null && before.metadataLocation().equals(pointer.metadataLocation())) {
            return before;
        }
        long orphansAt = before == null ? tick + firstOrphans(pointer).toNanos() : before.orphansAt();
        TableMetadata metadata = TableMetadataParser.read(io, pointer.metadataLocation());
        return new Known(
                pointer.metadataLocation(),
                ExpiredFiles.oldestDay(metadata, io),
                OptionalLong.empty(),
                maintainAt(metadata, now),
                orphansAt);
    }

    /** Spreads the first searches of all tables over the interval. */
    private Duration firstOrphans(TablePointer pointer) {
        return Duration.ofMillis(Math.floorMod(pointer.metadataLocation().hashCode(), orphanInterval.toMillis()));
    }

    private long maintainAt(TableMetadata metadata, Instant now) {
        boolean due = snapshotExpiry.hasOldSnapshots(metadata, now)
                || (metadata.currentSnapshot() != null
                        && SnapshotExpiry.hasManyManifests(
                                metadata.currentSnapshot().dataManifests(io)));
        return due ? Long.MIN_VALUE : snapshotExpiry.nextOldSnapshotMillis(metadata);
    }
}
