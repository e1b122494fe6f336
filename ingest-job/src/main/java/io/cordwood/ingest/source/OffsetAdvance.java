package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.TableOffsets;

/**
 * Says that every record below an offset that anyone may ever read has been sent: what else is there are transaction
 * markers and records of aborted transactions. Immutable.
 *
 * @param partition the partition, which may never have had a record
 * @param offset lowest offset that a record may still come with; {@link TableOffsets#END} if the partition's topic was
 *     deleted or made anew
 */
public record OffsetAdvance(LogPartition partition, long offset) implements PartitionEvent {
    public OffsetAdvance {
        requireNonNull(partition, "partition is null");
    }

    /** No record is left to come to a partition, since its topic is gone. */
    static OffsetAdvance end(LogPartition partition) {
        return new OffsetAdvance(partition, TableOffsets.END);
    }
}
