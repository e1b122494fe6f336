package io.cordwood.balancer.plan;

/**
 * The growth of the cluster that makes the demand fit (LogStore, Algorithm 1, line 25). Immutable.
 *
 * @param factor demand over present capacity, above 1
 * @param partitions partitions of the present mean capacity to add
 * @param workers workers of the present mean capacity to add
 */
public record Scale(double factor, int partitions, int workers) {}
