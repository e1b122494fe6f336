package io.cordwood.balancer.plan;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Capacity of a worker, c(D) of LogStore, section 4.1.1, and the partitions that it serves. Immutable.
 *
 * @param worker names the worker
 * @param capacity rows or bytes per second, before the watermark
 * @param partitions partitions that it consumes; no other worker serves them
 */
public record WorkerCapacity(String worker, double capacity, List<Integer> partitions) {
    public WorkerCapacity {
        requireNonNull(worker, "worker is null");
        if (!(capacity >= 0 && capacity < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "The capacity of worker '%s' must be a number from 0, but is %s".formatted(worker, capacity));
        }
        partitions = List.copyOf(partitions);
    }
}
