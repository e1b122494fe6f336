package io.cordwood.balancer.plan;

/**
 * By how much the cluster must grow until the demand fits (LogStore, Algorithm 1, line 25). Immutable.
 *
 * @param factor demand over what fits now, above 1
 * @param partitions partitions of the present mean capacity to add
 * @param workers workers of the present mean capacity to add
 */
public record Scale(double factor, int partitions, int workers) {}
