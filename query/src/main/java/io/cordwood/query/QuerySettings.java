package io.cordwood.query;

import io.cordwood.query.snapshot.HotTierReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the queries of one node. Immutable.
 *
 * @param catalogUri address of the catalog service
 * @param catalogProperties properties of its client, such as its token
 * @param streams names of all streams
 * @param accessRulesMaxAge maximum age of cached access rules
 * @param scanReportInterval time between two reports of what queries have read
 * @param planningThreads threads that read metadata and manifests
 * @param s3Requests maximum number of concurrent requests to the object store
 * @param caches memory and disk for caches
 * @param hotTier settings of the hot tier: the rows that are still in Kafka
 */
public record QuerySettings(
        URI catalogUri,
        Map<String, String> catalogProperties,
        List<String> streams,
        Duration accessRulesMaxAge,
        Duration scanReportInterval,
        int planningThreads,
        int s3Requests,
        Caches caches,
        HotTierReader.Settings hotTier) {
    /**
     * Sizes of caches in bytes.
     *
     * @param metadata table metadata
     * @param manifests manifests; lists of delete files take as much again
     * @param deletes contents of delete files
     * @param logBlocks open LogBlocks
     * @param blocks bytes of objects
     * @param decoded decoded column blocks
     * @param diskDirectory directory for bytes of objects; empty for no disk cache
     * @param disk bytes on disk
     */
    public record Caches(
            long metadata,
            long manifests,
            long deletes,
            long logBlocks,
            long blocks,
            long decoded,
            Optional<Path> diskDirectory,
            long disk) {}

    public QuerySettings {
        catalogProperties = Map.copyOf(catalogProperties);
        streams = List.copyOf(streams);
    }
}
