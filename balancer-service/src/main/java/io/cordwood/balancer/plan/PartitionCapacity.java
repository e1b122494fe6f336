package io.cordwood.balancer.plan;

/**
 * Capacity of a partition: c(P) of LogStore, section 4.1.1. Immutable.
 *
 * @param partition partition of the stream's topic, from 0
 * @param capacity rows or bytes per second
 */
public record PartitionCapacity(int partition, double capacity) {
    public PartitionCapacity {
        if (partition < 0) {
            throw new IllegalArgumentException("A partition cannot be negative: " + partition);
        }
        if (!(capacity >= 0 && capacity < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "The capacity of partition %d must be a number from 0, but is %s".formatted(partition, capacity));
        }
    }
}
