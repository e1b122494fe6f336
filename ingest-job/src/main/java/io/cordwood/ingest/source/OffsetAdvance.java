package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.TableOffsets;

/**
 * States that every record below an offset that can ever be read has been sent: the remaining offsets hold transaction
 * markers and records of aborted transactions. Immutable.
 *
 * @param partition the partition, which may never have had a record
 * @param offset lowest possible offset of a further record; {@link TableOffsets#END} if the partition's topic was
 *     deleted or recreated
 */
public record OffsetAdvance(LogPartition partition, long offset) implements PartitionEvent {
    public OffsetAdvance {
        requireNonNull(partition, "partition is null");
    }

    /** The end of a partition without further records, because its topic is gone. */
    static OffsetAdvance end(LogPartition partition) {
        return new OffsetAdvance(partition, TableOffsets.END);
    }
}
