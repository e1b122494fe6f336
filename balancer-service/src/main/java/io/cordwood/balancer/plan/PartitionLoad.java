package io.cordwood.balancer.plan;

/**
 * Flow through a partition: f(P). Immutable.
 *
 * @param worker the worker that serves it; empty if none does
 */
public record PartitionLoad(int partition, String worker, double load, double capacity) {}
