package io.cordwood.query.plan;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.cordwood.catalog.delete.TableDeletes;
import io.cordwood.catalog.delete.UnreadableDeletesException;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.query.cache.SharedCaches;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.TableVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/**
 * A cache of the delete files of snapshots, by the manifests that list them: a manifest never changes. Bounded in
 * bytes. Thread-safe.
 */
public final class TableDeletesCache {
    private static final int BYTES_PER_FILE = 800;

    private record Listed(TableDeletes deletes, int weight) {}

    private final QueryCatalog catalog;
    private final Cache<List<String>, Listed> listed;

    public TableDeletesCache(QueryCatalog catalog, long maxBytes) {
        this.catalog = catalog;
        listed = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(maxBytes)
                .weigher((List<String> manifests, Listed each) -> each.weight())
                .build();
    }

    /**
     * The delete files of a table's snapshot; free of cost if there are none.
     *
     * @throws QueryException UNSUPPORTED_TABLE if the reader cannot apply a delete file, INVALID_METADATA if a manifest
     *     cannot be read
     */
    public TableDeletes deletes(TableVersion table, Snapshot snapshot) {
        try {
            FileIO io = catalog.io();
            List<ManifestFile> manifests = snapshot.deleteManifests(io).stream()
                    .filter(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles())
                    .toList();
            if (manifests.isEmpty()) {
                return TableDeletes.NONE;
            }
            List<String> key = manifests.stream().map(ManifestFile::path).toList();
            return SharedCaches.get(listed, key, () -> read(manifests, table, io))
                    .deletes();
        } catch (ExecutionException | RuntimeException e) {
            throw unsupported(table, e)
                    .orElseGet(() -> ReadFailures.of(
                            QueryError.INVALID_METADATA,
                            "Cannot read which rows of %s are deleted in snapshot %d"
                                    .formatted(table.name(), snapshot.snapshotId()),
                            e));
        }
    }

    private static Optional<QueryException> unsupported(TableVersion table, Exception failure) {
        return Throwables.getCausalChain(failure).stream()
                .filter(UnreadableDeletesException.class::isInstance)
                .findFirst()
                .map(cause -> new QueryException(
                        QueryError.UNSUPPORTED_TABLE,
                        "Cannot determine which rows of %s are deleted: %s".formatted(table.name(), cause.getMessage()),
                        failure));
    }

    private static Listed read(List<ManifestFile> manifests, TableVersion table, FileIO io) throws IOException {
        TableMetadata metadata = table.metadata().orElseThrow();
        Map<Integer, PartitionSpec> specs = metadata.specsById();
        List<DeleteFile> files = new ArrayList<>();
        for (ManifestFile manifest : manifests) {
            try (ManifestReader<DeleteFile> reader = ManifestFiles.readDeleteManifest(manifest, io, specs)) {
                for (DeleteFile file : reader) {
                    files.add(file.copy());
                }
            }
        }
        return new Listed(
                TableDeletes.of(files, TableSchemas.everyColumn(metadata), specs),
                Math.max(1, files.size()) * BYTES_PER_FILE);
    }
}
