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
 * What is to be done with each table again and again, beside merging LogBlocks: {@link Retention}, {@link
 * SnapshotExpiry} and {@link OrphanCleaner}, each when there is something for it to do. Thread-safe.
 *
 * <p>It remembers of each table what its metadata said, by the location of the metadata file, which never changes: a
 * table that nothing was committed to costs no request at all, until its oldest day expires. One that was committed to
 * costs two reads of objects, the metadata file and the manifest list; the catalog is asked only if there is something
 * to do.
 */
public final class TableMaintenance {
    /** How often a table is looked through for orphans. */
    public static final Duration DEFAULT_ORPHAN_INTERVAL = Duration.ofDays(1);

    private final FileIO io;
    private final Retention retention;
    private final SnapshotExpiry maintenance;
    private final OrphanCleaner orphans;
    private final Duration orphanInterval;
    private final LongSupplier nanos;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** Keeps the tables of this catalog. */
    public TableMaintenance(CatalogClient catalog) {
        this(
                catalog.io(),
                new Retention(catalog.catalog()),
                new SnapshotExpiry(catalog.catalog()),
                new OrphanCleaner(catalog.catalog()),
                DEFAULT_ORPHAN_INTERVAL);
    }

    /** @param orphanInterval how often a table is looked through for orphans; the first time is somewhere within it */
    public TableMaintenance(
            FileIO io,
            Retention retention,
            SnapshotExpiry maintenance,
            OrphanCleaner orphans,
            Duration orphanInterval) {
        this(io, retention, maintenance, orphans, orphanInterval, System::nanoTime);
    }

    /** @param nanos ticks of a nanosecond, by which it waits until orphans are looked for again */
    TableMaintenance(
            FileIO io,
            Retention retention,
            SnapshotExpiry maintenance,
            OrphanCleaner orphans,
            Duration orphanInterval,
            LongSupplier nanos) {
        this.io = requireNonNull(io, "io is null");
        this.retention = requireNonNull(retention, "retention is null");
        this.maintenance = requireNonNull(maintenance, "maintenance is null");
        this.orphans = requireNonNull(orphans, "orphans is null");
        this.orphanInterval = requireNonNull(orphanInterval, "orphanInterval is null");
        this.nanos = nanos;
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
            Retention.Dropped dropped, SnapshotExpiry.Done maintained, OrphanCleaner.Cleaned cleaned, boolean changed) {
        static final Result NOTHING = new Result(
                Retention.Dropped.NOTHING, SnapshotExpiry.Done.NOTHING, OrphanCleaner.Cleaned.NOTHING, false);
    }

    /**
     * What the metadata of a table said.
     *
     * @param oldestDay no later than the first day that it has a LogBlock of
     * @param firstKeptDay the first day that was kept when days were dropped last: bounds of manifests may still tell
     *     of days that are gone. None if it was not looked for any
     * @param maintainAtMillis when its snapshots or manifests are to be looked after
     * @param orphansAt tick from which on it is to be looked for orphans
     */
    private record Known(
            String metadataLocation,
            long oldestDay,
            OptionalLong firstKeptDay,
            long maintainAtMillis,
            long orphansAt) {}

    /**
     * Does for a table what is due.
     *
     * @param retentionDays how long its rows are kept; empty: for ever
     * @param now the present time, by the {@linkplain ClockReadings#earliestToTheHour earliest} clock to the hour:
     *     snapshots that are old by it go
     * @param expiry the present time, by the {@linkplain ClockReadings#earliest earliest} clock: rows and orphans that
     *     have expired by it go
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
        // What was committed is seen when the pointer is read again.
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
            maintained = maintenance.apply(tenantId, stream, now);
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

    /** Spreads the tables over the interval. */
    private Duration firstOrphans(TablePointer pointer) {
        return Duration.ofMillis(Math.floorMod(pointer.metadataLocation().hashCode(), orphanInterval.toMillis()));
    }

    private long maintainAt(TableMetadata metadata, Instant now) {
        boolean due = maintenance.hasOldSnapshots(metadata, now)
                || (metadata.currentSnapshot() != null
                        && SnapshotExpiry.hasManyManifests(
                                metadata.currentSnapshot().dataManifests(io)));
        return due ? Long.MIN_VALUE : maintenance.nextOldSnapshotMillis(metadata);
    }
}
