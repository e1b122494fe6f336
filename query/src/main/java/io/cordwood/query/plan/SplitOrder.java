package io.cordwood.query.plan;

/** When a split of a top-n is read among the others; other scans do not look at it. */
public enum SplitOrder {
    /** First: it has the best LogBlocks. */
    FIRST,
    /** After the first split, which is read on the same node. */
    LATER,
    /** After the split that happens to be the first on its node. */
    ANY
}
