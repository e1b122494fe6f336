package io.cordwood.hot.statistics;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a query's pruning by statistics. Thread-safe. */
public final class PruningMetrics {
    /** Hot chunks between the archived-through offset and the log end. */
    public final LongAdder chunks = new LongAdder();

    /** Chunks without statistics. */
    public final LongAdder unknown = new LongAdder();

    /** Chunks pruned by tenant and time, as far as statistics cover them. */
    public final LongAdder pruned = new LongAdder();

    /** Remaining chunks pruned by column statistics, as far as these cover them. */
    public final LongAdder prunedByColumns = new LongAdder();

    /** Partitions with hot records. */
    public final LongAdder partitions = new LongAdder();

    /** Partitions with at least one chunk left to read: RSM in the paper's terms. */
    public final LongAdder partitionsRead = new LongAdder();
}
