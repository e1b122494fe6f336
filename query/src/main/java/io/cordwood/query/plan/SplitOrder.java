package io.cordwood.query.plan;

/** The order in which the splits of a top-n are read; other scans ignore it. */
public enum SplitOrder {
    /** Read first: the split has the best LogBlocks. */
    FIRST,
    /** Read after the first split, which is read on the same node. */
    LATER,
    /** Read after whichever split starts first on the node. */
    ANY
}
