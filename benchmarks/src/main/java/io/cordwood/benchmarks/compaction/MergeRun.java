package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.compaction.CompactionCluster;
import io.cordwood.compaction.CompactionOptions;
import io.cordwood.compaction.job.Count;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Merges the LogBlocks of all tenants once, by the compaction job in this process. Stateless. */
public final class MergeRun {
    /** The job's default size of a LogBlock. */
    public static final long TARGET_BYTES = 128 << 20;
    /** The job's default compression level. */
    public static final int ZSTD_LEVEL = 9;

    private MergeRun() {}

    /**
     * Merges, and keeps the replaced LogBlocks for queries.
     *
     * @param catalog address of the catalog service
     * @param properties properties of its client
     * @param copiesText whether text is copied where it can be
     * @param denseAfterDays as the job's option; empty: nothing gets the dense layout
     * @param work a directory for temporary files
     * @return what the job did
     * @throws IOException if a table cannot be maintained, or a merge fails or is void: there is no other writer
     */
    public static Map<Count, Long> of(
            URI catalog,
            Map<String, String> properties,
            int zstdLevel,
            boolean copiesText,
            OptionalInt denseAfterDays,
            Path work)
            throws Exception {
        CompactionOptions options = new CompactionOptions(
                catalog,
                properties,
                List.of(TenantLogBlocks.STREAM),
                Optional.empty(),
                true,
                Duration.ofMinutes(1),
                TARGET_BYTES,
                Long.MAX_VALUE,
                1,
                zstdLevel,
                copiesText,
                Duration.ofDays(1),
                Duration.ofDays(1),
                denseAfterDays);
        Files.createDirectories(work);
        try (CompactionCluster cluster = CompactionCluster.start(options, "127.0.0.1", 0, work.toString())) {
            Map<Count, Long> counts = cluster.await();
            for (Count failure : List.of(Count.TABLES_FAILED, Count.MERGES_FAILED, Count.MERGES_VOID)) {
                if (counts.get(failure) > 0) {
                    throw new IOException("The compaction job counts %s: %d".formatted(failure, counts.get(failure)));
                }
            }
            return counts;
        }
    }
}
