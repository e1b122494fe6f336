package io.cordwood.catalog.commit;

import java.time.Duration;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;

/**
 * Limits that keep the metadata small of a table with frequent commits. Stateless, thread-safe.
 *
 * <p>Metadata files: on a commit, the service deletes the oldest beyond {@value #PREVIOUS_METADATA_FILES}. A reader
 * loads the file within milliseconds of learning its location, so twenty commits later it is no longer needed.
 *
 * <p>Snapshots: {@code SnapshotExpiry} expires them after an hour and removes their files. If it does not run, or falls
 * behind, a commit drops snapshots older than three hours from the metadata, once there are enough of them, so that the
 * metadata that every commit rewrites stays bounded. That deletes no file: the {@code OrphanCleaner} deletes files that
 * only dropped snapshots refer to. So one of the two removes each file, and never a commit.
 *
 * <p>Manifests: each append adds one; {@value #MANIFESTS_TO_MERGE} of them are merged into one, which bounds the number
 * that a reader opens without rewriting the large manifest at each commit.
 */
public final class TableMetadataLimits {
    private static final int PREVIOUS_METADATA_FILES = 20;
    private static final int MANIFESTS_TO_MERGE = 25;
    private static final int SNAPSHOTS_BEFORE_EXPIRY = 50;
    private static final Duration SNAPSHOT_RETENTION = Duration.ofHours(3);

    private TableMetadataLimits() {}

    /** Properties of a new table. */
    public static Map<String, String> properties() {
        return Map.of(
                TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
                "true",
                TableProperties.METADATA_PREVIOUS_VERSIONS_MAX,
                Integer.toString(PREVIOUS_METADATA_FILES),
                TableProperties.METADATA_COMPRESSION,
                "gzip",
                TableProperties.MANIFEST_MIN_MERGE_COUNT,
                Integer.toString(MANIFESTS_TO_MERGE));
    }

    /**
     * An append to a table with this metadata. It merges manifests only if there are enough, as a merge costs more.
     */
    static AppendFiles append(TableMetadata metadata, Table table) {
        Snapshot snapshot = metadata.currentSnapshot();
        int manifests =
                snapshot == null ? 0 : snapshot.dataManifests(table.io()).size();
        int toMerge = metadata.propertyAsInt(
                TableProperties.MANIFEST_MIN_MERGE_COUNT, TableProperties.MANIFEST_MIN_MERGE_COUNT_DEFAULT);
        AppendFiles append = manifests + 1 < toMerge ? table.newFastAppend() : table.newAppend();
        return append.scanManifestsWith(DirectExecutor.INSTANCE);
    }

    /** Removes old snapshots from a table with this metadata, if there are enough. */
    public static void expireSnapshots(TableMetadata metadata, Table table, long nowMillis) {
        long oldest = nowMillis - SNAPSHOT_RETENTION.toMillis();
        long expired = metadata.snapshots().stream()
                .filter(snapshot -> snapshot.timestampMillis() < oldest)
                .count();
        if (expired >= SNAPSHOTS_BEFORE_EXPIRY) {
            table.expireSnapshots()
                    .expireOlderThan(oldest)
                    .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                    .commit();
        }
    }
}
