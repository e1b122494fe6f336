package io.cordwood.query;

import io.cordwood.query.snapshot.HotTierReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How queries run on one node. Immutable.
 *
 * @param catalogUri where the catalog service is
 * @param catalogToken token for the catalog service; empty for none
 * @param streams the streams that there are
 * @param accessRulesMaxAge how old access rules may be
 * @param scanReportInterval time between two reports of what queries have read
 * @param planningThreads threads that read metadata and manifests
 * @param s3Requests requests to the object store that may be under way at a time
 * @param caches memory and disk for caches
 * @param tail the rows that are still in Kafka
 */
public record QuerySettings(
        URI catalogUri,
        Optional<String> catalogToken,
        List<String> streams,
        Duration accessRulesMaxAge,
        Duration scanReportInterval,
        int planningThreads,
        int s3Requests,
        Caches caches,
        HotTierReader.Settings tail) {
    /**
     * Sizes of caches in bytes.
     *
     * @param metadata table metadata
     * @param manifests manifests, and as much again for the lists of delete files
     * @param deletes contents of delete files
     * @param logBlocks open LogBlocks
     * @param blocks bytes of objects
     * @param decoded decoded column blocks
     * @param diskDirectory where bytes of objects are kept on disk; empty for nowhere
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
        streams = List.copyOf(streams);
    }
}
