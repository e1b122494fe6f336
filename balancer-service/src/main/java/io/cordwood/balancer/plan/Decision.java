package io.cordwood.balancer.plan;

/** The change that a plan makes for a tenant. */
public enum Decision {
    /** Its routes are those of the previous plan. */
    KEPT,
    /** It had no route to a partition with capacity. */
    PLACED,
    /** It has the same partitions with other weights. */
    REWEIGHTED,
    /** It has other partitions, and no more of them than before. */
    MOVED,
    /** It has more partitions than before. */
    SPLIT,
    /** It has fewer partitions than before. */
    MERGED
}
