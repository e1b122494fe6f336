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
 * All rows that one tenant had buffered from one partition, as LogBlocks: rows of offsets {@code [from, to)}.
 * Immutable.
 *
 * <p>{@code from} is where the flush before it ended, {@code to} the position of the builder. A flush without files
 * says that the tenant has no row there.
 *
 * @param topicId Kafka's UUID of the topic
 * @param partition number of the partition
 * @param from first offset
 * @param to first offset past the flush
 * @param tableUuid UUID of the table whose field ids the files carry; a table made anew numbers its columns anew. Empty
 *     for a flush without files that was made for no table
 * @param files one LogBlock or more for each day
 * @param intake how the rows in the files came in, ascending by offset
 */
public record Flush(
        String topicId,
        int partition,
        long from,
        long to,
        String tableUuid,
        List<LogBlockFile> files,
        List<AppendRun> intake) {
    public Flush {
        PartitionId id = new PartitionId(topicId, partition);
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("Flush of %s has no offsets: [%d, %d)".formatted(id, from, to));
        }
        requireNonNull(tableUuid, "tableUuid is null");
        files = List.copyOf(files);
        intake = List.copyOf(intake);
        long metered = intake.stream().mapToLong(AppendRun::rows).sum();
        if (metered != AppendRun.rows(files)) {
            throw new IllegalArgumentException("Flush of %s has %d rows in its files, but %d came in"
                    .formatted(id, AppendRun.rows(files), metered));
        }
    }

    /** The partition that the rows come from. */
    public PartitionId partitionId() {
        return new PartitionId(topicId, partition);
    }

    /**
     * Whether it certainly has no row at or above an offset.
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
     * Whether it certainly has no row below an offset.
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

    /** What the log shows of a flush. */
    String label() {
        return "%s[%d, %d)".formatted(partitionId(), from, to);
    }
}
