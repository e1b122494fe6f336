package io.cordwood.query.plan;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.cordwood.catalog.commit.ManifestFilters;
import io.cordwood.catalog.commit.ManifestSketches;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.query.cache.CacheCounts;
import io.cordwood.query.cache.SharedCaches;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.FileIO;

/**
 * A cache of the files that manifests list, by the manifest's path: a manifest never changes. Bounded in bytes.
 * Thread-safe.
 */
public final class ManifestCache {
    /**
     * A file that a manifest lists.
     *
     * @param filter the terms that the file may hold; empty if unknown
     */
    public record ListedFile(DataFile file, Optional<TokenFilter> filter) {
        /** Whether the file has a filter that cannot be used. */
        boolean isFilterUnusable() {
            return filter.isEmpty() && ManifestFilters.isIn(file);
        }
    }

    private record CachedManifest(List<ListedFile> files, int weight) {}

    private static final int BYTES_PER_FILE = 600;
    private static final int BYTES_PER_COLUMN = 200;

    private final Cache<String, CachedManifest> manifests;
    private final ExecutorService executor;

    public ManifestCache(long maxBytes, ExecutorService executor) {
        this.executor = executor;
        // One segment: a single manifest may take a large share of the cache
        manifests = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(maxBytes)
                .weigher((String path, CachedManifest manifest) -> manifest.weight())
                .recordStats()
                .build();
    }

    /** Hits, misses and evictions since the start. */
    public Map<String, Long> counts() {
        return CacheCounts.of(manifests.stats());
    }

    /**
     * The live files of each manifest. Manifests that are not cached are read in parallel, as each takes a request or
     * more.
     *
     * @param table name of the table, for errors
     * @throws QueryException INVALID_METADATA if one cannot be read
     */
    public List<List<ListedFile>> files(
            List<ManifestFile> requested, Map<Integer, PartitionSpec> specs, FileIO io, String table) {
        List<FutureTask<List<ListedFile>>> tasks = requested.stream()
                .map(manifest -> new FutureTask<>(() -> files(manifest, specs, io, table)))
                .toList();
        // The caller runs tasks that have not begun, because it may be one of the executor's own threads
        tasks.stream().skip(1).forEach(executor::execute);
        tasks.forEach(FutureTask::run);
        return tasks.stream().map(ManifestCache::result).toList();
    }

    private static <T> T result(Future<T> done) {
        try {
            return Futures.getUnchecked(done);
        } catch (UncheckedExecutionException e) {
            Throwables.throwIfUnchecked(e.getCause());
            throw e;
        }
    }

    private List<ListedFile> files(ManifestFile manifest, Map<Integer, PartitionSpec> specs, FileIO io, String table) {
        try {
            return SharedCaches.get(manifests, manifest.path(), () -> read(manifest, specs, io))
                    .files();
        } catch (ExecutionException | RuntimeException e) {
            throw ReadFailures.of(
                    QueryError.INVALID_METADATA,
                    "Cannot read the manifest %s of %s".formatted(manifest.path(), table),
                    e);
        }
    }

    private static CachedManifest read(ManifestFile manifest, Map<Integer, PartitionSpec> specs, FileIO io)
            throws IOException {
        List<ListedFile> files = new ArrayList<>();
        long weight = 0;
        try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, io, specs)) {
            for (DataFile file : reader) {
                DataFile copy = file.copy();
                ListedFile listed = new ListedFile(copy, ManifestFilters.of(copy));
                files.add(listed);
                weight += weight(listed);
            }
        }
        return new CachedManifest(List.copyOf(files), (int) Math.min(Integer.MAX_VALUE, weight));
    }

    private static long weight(ListedFile listed) {
        Map<Integer, ByteBuffer> bounds = listed.file().lowerBounds();
        return BYTES_PER_FILE
                + (bounds == null ? 0 : (long) BYTES_PER_COLUMN * bounds.size())
                + (bounds == null || !bounds.containsKey(ManifestSketches.FIELD_ID)
                        ? 0
                        : bounds.get(ManifestSketches.FIELD_ID).remaining())
                + listed.filter().map(TokenFilter::sizeInBytes).orElse(0);
    }
}
