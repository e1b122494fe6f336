package io.cordwood.compaction;

import io.cordwood.catalog.option.CatalogFlags;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The job's options on the command line. */
final class CompactionFlags {
    @Mixin
    private CatalogFlags catalog;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "streams whose tables are compacted (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(names = "--tenant", paramLabel = "T", description = "only this tenant's tables")
    private String tenantId;

    @Option(
            names = "--once",
            description =
                    "run one cycle without a budget that merges everything that reduces the number of LogBlocks, then exit")
    private boolean isOnce;

    @Mixin
    private CompactionTuning tuning;

    CompactionOptions options() {
        return new CompactionOptions(
                catalog.uri(),
                catalog.properties(),
                streams,
                Optional.ofNullable(tenantId),
                isOnce,
                tuning.interval(),
                tuning.targetBytes(),
                isOnce ? Long.MAX_VALUE : tuning.budgetBytes(),
                tuning.parallelism(),
                tuning.zstdLevel(),
                tuning.copiesText(),
                tuning.snapshotGrace(),
                tuning.orphanInterval(),
                tuning.denseAfterDays());
    }
}
