package io.cordwood.compaction;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator decides about the job. Immutable.
 *
 * @param catalogUri address of the catalog service
 * @param catalogProperties properties of the catalog client and of object storage
 * @param streams streams whose tables are looked at
 * @param tenantId the only tenant to be looked at; empty for all
 * @param isOnce whether everything that makes LogBlocks fewer is done once, and that is all
 * @param interval time between the beginnings of cycles
 * @param targetBytes size that a LogBlock should have
 * @param budgetBytes bytes that a cycle may rewrite
 * @param parallelism tables looked at, and days merged, at a time
 * @param zstdLevel compression level of merged LogBlocks
 * @param snapshotGrace how long a snapshot can be read after another one has taken its place
 * @param orphanInterval how often a table is looked through for objects that nothing refers to
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
        Duration snapshotGrace,
        Duration orphanInterval) {
    public CompactionOptions {
        requireNonNull(catalogUri, "catalogUri is null");
        catalogProperties = Map.copyOf(catalogProperties);
        streams = List.copyOf(streams);
    }
}
