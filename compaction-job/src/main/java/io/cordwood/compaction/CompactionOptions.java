package io.cordwood.compaction;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The operator's settings for the job. Immutable.
 *
 * @param catalogUri address of the catalog service
 * @param catalogProperties properties of the catalog client and of object storage
 * @param streams streams whose tables are maintained
 * @param tenantId the only tenant to be maintained; empty for all
 * @param isOnce whether one cycle does every merge that reduces the number of LogBlocks, and the job then ends
 * @param interval time between the beginnings of cycles
 * @param targetBytes target size of a LogBlock
 * @param budgetBytes bytes that a cycle may rewrite
 * @param parallelism tables maintained, and days merged, at a time
 * @param zstdLevel compression level of merged LogBlocks
 * @param copiesText whether merges copy text where they can
 * @param snapshotGrace how long a snapshot stays readable after a newer one has replaced it
 * @param orphanInterval time between two searches of a table for objects without references
 * @param denseAfterDays how many days after its end a day gets the dense layout, in tables that do not say; empty:
 *     never
 */
public record CompactionOptions(
        URI catalogUri,
        Map<String, String> catalogProperties,
        List<String> streams,
        Optional<String> tenantId,
        boolean isOnce,
        Duration interval,
        long targetBytes,
        long budgetBytes,
        int parallelism,
        int zstdLevel,
        boolean copiesText,
        Duration snapshotGrace,
        Duration orphanInterval,
        OptionalInt denseAfterDays) {
    public CompactionOptions {
        requireNonNull(catalogUri, "catalogUri is null");
        catalogProperties = Map.copyOf(catalogProperties);
        streams = List.copyOf(streams);
    }
}
