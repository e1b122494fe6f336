package io.cordwood.balancer.plan;

/** What a plan did about a tenant. */
public enum Decision {
    /** Its routes are those of the plan before. */
    KEPT,
    /** It had no route to a partition that takes anything. */
    PLACED,
    /** The same partitions, other weights. */
    REWEIGHTED,
    /** Other partitions, no more of them than before. */
    MOVED,
    /** More partitions than before. */
    SPLIT,
    /** Fewer partitions than before. */
    MERGED
}
