package io.cordwood.catalog.table;

import static java.util.Objects.requireNonNull;

/**
 * Offsets {@code [from, to)} of one partition. Immutable.
 *
 * @param partition the partition
 * @param from first offset
 * @param to first offset past them
 */
public record OffsetRange(PartitionId partition, long from, long to) {
    public OffsetRange {
        requireNonNull(partition, "partition is null");
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("[%d, %d) is not a range of offsets".formatted(from, to));
        }
    }
}
