package io.cordwood.catalog.server.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;

/**
 * The metadata files of tables, of which those read or written lately stay parsed. That needs no invalidation, because
 * no file changes and no location is used twice. Thread-safe.
 */
final class MetadataFiles {
    private static final long KEPT_BYTES = 48L << 20;
    // Rough sizes in memory
    private static final int TABLE_BYTES = 12_000;
    private static final int COLUMN_BYTES = 400;
    private static final int SNAPSHOT_BYTES = 2_500;
    private static final int LOG_ENTRY_BYTES = 250;

    private final FileIO io;
    private final Cache<String, TableMetadata> kept = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES)
            .weigher((String location, TableMetadata table) -> approximateBytes(table))
            .build();

    MetadataFiles(FileIO io) {
        this.io = io;
    }

    FileIO io() {
        return io;
    }

    /** @throws NotFoundException if there is no such file */
    TableMetadata read(String location) {
        TableMetadata known = kept.getIfPresent(location);
        if (known != null) {
            return known;
        }
        TableMetadata read = TableMetadataParser.read(io, location);
        kept.put(location, read);
        return read;
    }

    private static int approximateBytes(TableMetadata table) {
        long bytes = TABLE_BYTES
                + (long) COLUMN_BYTES
                        * table.schema().columns().size()
                        * table.schemas().size()
                + (long) SNAPSHOT_BYTES * table.snapshots().size()
                + (long) LOG_ENTRY_BYTES
                        * (table.snapshotLog().size() + table.previousFiles().size());
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }
}
