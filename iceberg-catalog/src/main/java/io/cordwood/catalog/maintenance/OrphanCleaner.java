package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.LogBlockNames.Label;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Deletes objects of a table that nothing refers to, and that nothing ever will: the only one that deletes what a
 * commit of unknown end may have left. Thread-safe.
 *
 * <p>All of it rests on one load of the table: what its metadata refers to, by any snapshot, and its offsets O. An
 * object that is not referred to is taken
 *
 * <ul>
 *   <li>if it is a LogBlock of the ingest job whose label ends at or below O: a commit of such a flush finds its
 *       rows in the table and forgets it. O only rises, so it does not matter what is committed meanwhile. Age says
 *       nothing here: a job may be down for days between checkpoint and commit. W, which is read elsewhere, is no
 *       substitute: it may be newer than the metadata.
 *   <li>if it is anything else, that is a LogBlock of compaction, a delete file, a manifest, a metadata file, or
 *       something of another program, from a minimum age on, which outlasts whatever writes it and has not committed
 *       yet.
 * </ul>
 *
 * <p>Memory: 8 to 16 bytes for each object that is referred to; objects are listed as they come.
 */
public final class OrphanCleaner {
    /** Outlasts any compaction or foreign writer. */
    public static final Duration DEFAULT_MIN_AGE = Duration.ofHours(24);

    private static final List<String> DIRECTORIES = List.of("/data/", "/metadata/");

    private final Catalog catalog;
    private final Duration minAge;

    /** Cleans the tables of this catalog. */
    public OrphanCleaner(Catalog catalog) {
        this(catalog, DEFAULT_MIN_AGE);
    }

    /** @param minAge age from which objects are deleted that are not LogBlocks of the ingest job */
    public OrphanCleaner(Catalog catalog, Duration minAge) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.minAge = requireNonNull(minAge, "minAge is null");
    }

    /**
     * What was found. Immutable.
     *
     * @param objects objects of the table
     * @param deleted those that were orphans
     */
    public record Cleaned(long objects, int deleted) {
        static final Cleaned NOTHING = new Cleaned(0, 0);
    }

    /** Deletes the orphans of a table. One that does not exist has none; nor has one in a store that cannot list. */
    public Cleaned clean(String tenantId, String stream, Instant now) {
        BaseTable table;
        try {
            table = (BaseTable) catalog.loadTable(TenantNames.table(tenantId, stream));
        } catch (NoSuchTableException e) {
            return Cleaned.NOTHING;
        }
        if (!(table.io() instanceof SupportsPrefixOperations store)) {
            return Cleaned.NOTHING;
        }
        TableMetadata metadata = table.operations().current();
        TableOffsets offsets = TableOffsets.fromProperties(metadata.properties());
        LocationSet referred = ReferredFiles.of(metadata, table.io());
        long youngestMillis = now.minus(minAge).toEpochMilli();
        StoredObjects orphans = new StoredObjects(table.io());
        long objects = 0;
        for (String directory : DIRECTORIES) {
            for (FileInfo object : store.listPrefix(metadata.location() + directory)) {
                objects++;
                if (isSettled(object, offsets, youngestMillis) && !referred.mayContain(object.location())) {
                    orphans.delete(object.location());
                }
            }
        }
        return new Cleaned(objects, orphans.finish());
    }

    /** Whether an object that is not referred to will never be. */
    private static boolean isSettled(FileInfo object, TableOffsets offsets, long youngestMillis) {
        Optional<Label> label = LogBlockNames.label(object.location());
        if (label.isPresent()) {
            return label.get().to() <= offsets.offset(label.get().partition());
        }
        long created = Math.max(
                object.createdAtMillis(),
                LogBlockNames.mergedMillis(object.location()).orElse(Long.MIN_VALUE));
        return created < youngestMillis;
    }
}
