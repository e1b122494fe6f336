package io.cordwood.balancer.plan;

/**
 * Flow through a partition: f(P). Immutable.
 *
 * @param worker who serves it; empty if nobody does
 */
public record PartitionLoad(int partition, String worker, double load, double capacity) {}
