package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.ColumnMetrics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All rows of one tenant that were buffered from one partition, as LogBlocks: rows of offsets {@code [from, to)}.
 * Immutable.
 *
 * <p>{@code from} is the end of the previous flush, {@code to} the position of the builder. A flush without files means
 * that the tenant has no row in that range.
 *
 * @param topicId Kafka's UUID of the topic
 * @param partition number of the partition
 * @param from first offset
 * @param to first offset past the flush
 * @param tableUuid UUID of the table whose field ids the files have, because a recreated table numbers its columns
 *     anew; empty for a flush without files that was made for no table
 * @param files one LogBlock or more for each day
 * @param appendRuns append runs of the rows in the files, ascending by offset
 */
public record Flush(
        String topicId,
        int partition,
        long from,
        long to,
        String tableUuid,
        List<LogBlockFile> files,
        List<AppendRun> appendRuns) {
    public Flush {
        PartitionId id = new PartitionId(topicId, partition);
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("Flush of %s has no offsets: [%d, %d)".formatted(id, from, to));
        }
        requireNonNull(tableUuid, "tableUuid is null");
        files = List.copyOf(files);
        appendRuns = List.copyOf(appendRuns);
        long metered = appendRuns.stream().mapToLong(AppendRun::rows).sum();
        if (metered != AppendRun.rows(files)) {
            throw new IllegalArgumentException("Flush of %s has %d rows in its files, but %d in its append runs"
                    .formatted(id, AppendRun.rows(files), metered));
        }
    }

    /** The partition of the rows. */
    public PartitionId partitionId() {
        return new PartitionId(topicId, partition);
    }

    /**
     * Whether it certainly has no row at or above an offset. False if that is not certain.
     *
     * @param offsetField field id of the rows' offsets
     */
    boolean endsBelow(long offset, int offsetField) {
        return files.stream()
                .allMatch(file -> bound(file, offsetField, ColumnMetrics::upper)
                        .filter(highest -> highest < offset)
                        .isPresent());
    }

    /**
     * Whether it certainly has no row below an offset. False if that is not certain.
     *
     * @param offsetField field id of the rows' offsets
     */
    boolean beginsAt(long offset, int offsetField) {
        return files.stream()
                .allMatch(file -> bound(file, offsetField, ColumnMetrics::lower)
                        .filter(lowest -> lowest >= offset)
                        .isPresent());
    }

    private static Optional<Long> bound(LogBlockFile file, int field, Function<ColumnMetrics, Optional<Object>> bound) {
        return Optional.ofNullable(file.summary().columns().get(field))
                .flatMap(bound)
                .map(Long.class::cast);
    }

    /** The flush's name in the log. */
    String label() {
        return "%s[%d, %d)".formatted(partitionId(), from, to);
    }
}
