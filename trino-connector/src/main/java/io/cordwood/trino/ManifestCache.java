package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_INVALID_METADATA;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.inject.Inject;
import io.trino.spi.TrinoException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.FileIO;

/** The files that manifests list, by the manifest's path: a manifest never changes. Bounded in bytes. Thread-safe. */
final class ManifestCache {
    private record CachedManifest(List<DataFile> files, int weight) {}

    private static final int BYTES_PER_FILE = 600;
    private static final int BYTES_PER_COLUMN = 200;

    private final Cache<String, CachedManifest> manifests;

    @Inject
    ManifestCache(CordwoodConfig config) {
        manifests = CacheBuilder.newBuilder()
                .maximumWeight(config.getManifestCacheSize().toBytes())
                .weigher((String path, CachedManifest manifest) -> manifest.weight())
                .build();
    }

    /**
     * The live files of a manifest.
     *
     * @param table whose it is, for errors
     * @throws TrinoException CORDWOOD_INVALID_METADATA if it cannot be read
     */
    List<DataFile> files(ManifestFile manifest, Map<Integer, PartitionSpec> specs, FileIO io, String table) {
        try {
            return SharedCaches.get(manifests, manifest.path(), () -> read(manifest, specs, io))
                    .files();
        } catch (ExecutionException | RuntimeException e) {
            throw ReadFailures.of(
                    CORDWOOD_INVALID_METADATA,
                    "Cannot read the manifest %s of %s".formatted(manifest.path(), table),
                    e);
        }
    }

    private static CachedManifest read(ManifestFile manifest, Map<Integer, PartitionSpec> specs, FileIO io)
            throws IOException {
        List<DataFile> files = new ArrayList<>();
        long weight = 0;
        try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, io, specs)) {
            for (DataFile file : reader) {
                DataFile copy = file.copy();
                files.add(copy);
                weight += weight(copy);
            }
        }
        return new CachedManifest(List.copyOf(files), (int) Math.min(Integer.MAX_VALUE, weight));
    }

    private static long weight(DataFile file) {
        Map<Integer, ByteBuffer> bounds = file.lowerBounds();
        return BYTES_PER_FILE + (bounds == null ? 0 : (long) BYTES_PER_COLUMN * bounds.size());
    }
}
