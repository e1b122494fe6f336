package io.cordwood.query.scan;

import com.google.common.base.Suppliers;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.cordwood.catalog.delete.DeletedKeys;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.query.cache.SharedCaches;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.plan.ScannedLogBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.iceberg.io.FileIO;

/** A cache of the contents of delete files, by file: a delete file never changes. Bounded in bytes. Thread-safe. */
public final class DeletedRowsCache {
    private static final int BYTES_PER_DATA_FILE = 100;
    private static final int BYTES_PER_STRING = 40;

    private record Content(Map<String, DeletedRows> rows, int weight) {
        static Content of(Map<String, DeletedRows> rows) {
            long weight = BYTES_PER_DATA_FILE;
            for (Map.Entry<String, DeletedRows> each : rows.entrySet()) {
                weight += BYTES_PER_DATA_FILE
                        + bytes(each.getKey())
                        + each.getValue().retainedBytes();
            }
            return new Content(rows, bounded(weight));
        }
    }

    /** The approximate memory of a location. */
    private static long bytes(String location) {
        return (long) BYTES_PER_STRING + location.length();
    }

    private static int bounded(long weight) {
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    private final Supplier<FileIO> io;
    private final Cache<RowDeleteFile, Content> files;
    private final Cache<RowDeleteFile, DeletedKeys> keys;
    private final Cache<ByValues, DeletedRows> byValues;

    /** The key of a search for the values of a delete file, in a data file whose columns have these names. */
    private record ByValues(String dataFile, ColumnNames names, String deletes) {
        int weight(DeletedRows rows) {
            return bounded(BYTES_PER_DATA_FILE + bytes(dataFile) + bytes(deletes) + rows.retainedBytes());
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param io reads delete files; requested with the first delete file
     */
    public DeletedRowsCache(Supplier<FileIO> io, long maxBytes) {
        this.io = io;
        // One segment: a single file may take a large share of the cache
        files = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(maxBytes / 2)
                .weigher((RowDeleteFile file, Content content) -> content.weight())
                .build();
        keys = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(maxBytes / 4)
                .weigher((RowDeleteFile file, DeletedKeys each) -> bounded(BYTES_PER_DATA_FILE + each.retainedBytes()))
                .build();
        byValues = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(maxBytes / 4)
                .weigher(ByValues::weight)
                .build();
    }

    /**
     * The deleted rows of a LogBlock.
     *
     * @param logBlock opens the LogBlock, to find rows by their values
     * @throws QueryException CURSOR_ERROR, STORE_UNAVAILABLE if a delete file cannot be read
     */
    DeletedRows deletedRows(ScannedLogBlock split, boolean useCache, Supplier<LogBlock> logBlock) {
        List<DeletedRows> parts = new ArrayList<>();
        Supplier<LogBlock> opened = Suppliers.memoize(logBlock::get);
        for (RowDeleteFile file : split.deletes()) {
            parts.add(
                    file.isByValues()
                            ? byValues(split, file, useCache, opened)
                            : rows(split, file, useCache).getOrDefault(split.path(), DeletedRows.NONE));
        }
        return DeletedRows.union(parts);
    }

    private DeletedRows byValues(
            ScannedLogBlock split, RowDeleteFile file, boolean useCache, Supplier<LogBlock> logBlock) {
        try {
            return useCache
                    ? SharedCaches.get(
                            byValues,
                            new ByValues(split.path(), split.binding().names(), file.location()),
                            () -> SharedCaches.get(keys, file, () -> file.readKeys(io.get()))
                                    .find(logBlock.get()))
                    : file.readKeys(io.get()).find(logBlock.get());
        } catch (ExecutionException | IOException | RuntimeException e) {
            throw cannotTell(split, e);
        }
    }

    private static QueryException cannotTell(ScannedLogBlock split, Exception failure) {
        return ReadFailures.of(
                QueryError.CURSOR_ERROR,
                "Cannot determine which rows of %s are deleted".formatted(split.description()),
                failure);
    }

    private Map<String, DeletedRows> rows(ScannedLogBlock split, RowDeleteFile file, boolean useCache) {
        try {
            return useCache
                    ? SharedCaches.get(files, file, () -> Content.of(file.read(io.get())))
                            .rows()
                    : file.read(io.get());
        } catch (ExecutionException | RuntimeException e) {
            throw cannotTell(split, e);
        }
    }
}
