package io.cordwood.hot.statistics;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.log.LogVersion;

/**
 * A partition under one leader. Statistics of its records are valid for no other epoch. Immutable.
 *
 * @param partition the partition
 * @param leaderEpoch the epoch of its leader
 */
public record PartitionEpoch(PartitionId partition, int leaderEpoch) {
    public PartitionEpoch {
        requireNonNull(partition, "partition is null");
    }

    /** Whether the leader is known. */
    public boolean isKnown() {
        return leaderEpoch != LogVersion.NO_EPOCH;
    }
}
