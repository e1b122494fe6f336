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
 * Deletes objects of a table that no metadata refers to, now or later. Only this class deletes files that a commit of
 * unknown outcome may have left. Thread-safe.
 *
 * <p>It decides by one load of the table: by the references in its metadata, of any snapshot, and by its table offsets.
 * An object without a reference is deleted
 *
 * <ul>
 *   <li>if it is a LogBlock of the ingest job whose label ends at or below the table offset: a commit of such a flush
 *       finds its rows in the table and drops it. Table offsets only rise, so concurrent commits do not matter. Age is
 *       irrelevant here: a job may be down for days between checkpoint and commit. Archived-through is no substitute:
 *       it comes from another read and may be newer than the metadata.
 *   <li>if it is any other object, that is a LogBlock of compaction, a delete file, a manifest, a metadata file, or a
 *       file of another program, from a minimum age on, which is longer than any writer needs until its commit.
 * </ul>
 *
 * <p>Memory: 8 to 16 bytes per referenced object; the listing is streamed.
 */
public final class OrphanCleaner {
    /** Longer than any compaction or foreign writer takes. */
    public static final Duration DEFAULT_MIN_AGE = Duration.ofHours(24);

    private static final List<String> DIRECTORIES = List.of("/data/", "/metadata/");

    private final Catalog catalog;
    private final Duration minAge;

    /** Creates a cleaner for the tables of this catalog. */
    public OrphanCleaner(Catalog catalog) {
        this(catalog, DEFAULT_MIN_AGE);
    }

    /** @param minAge minimum age of deleted objects, except for LogBlocks of the ingest job */
    public OrphanCleaner(Catalog catalog, Duration minAge) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.minAge = requireNonNull(minAge, "minAge is null");
    }

    /**
     * Result of a cleaning. Immutable.
     *
     * @param objects number of objects of the table
     * @param deleted number of deleted orphans
     */
    public record Cleaned(long objects, int deleted) {
        static final Cleaned NOTHING = new Cleaned(0, 0);
    }

    /** Deletes the orphans of a table. Does nothing if the table does not exist or its store cannot list objects. */
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

    /** Whether an object without a reference will never get one. */
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
