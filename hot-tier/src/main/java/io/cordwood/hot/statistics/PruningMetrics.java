package io.cordwood.hot.statistics;

import java.util.concurrent.atomic.LongAdder;

/** What statistics spared a query. Thread-safe. */
public final class PruningMetrics {
    /** Chunks of the tail between what is archived and its end. */
    public final LongAdder chunks = new LongAdder();

    /** Of them, those of which nothing was known. */
    public final LongAdder unknown = new LongAdder();

    /** Of them, those that need not be read, as far as they are covered. */
    public final LongAdder pruned = new LongAdder();

    /** Of those left, the ones that need not be read, as far as they are covered, for what is known of columns. */
    public final LongAdder prunedByColumns = new LongAdder();

    /** Partitions of which some of the tail is not archived. */
    public final LongAdder partitions = new LongAdder();

    /** Of them, those of which a chunk is left to be read: RSM in the paper's terms. */
    public final LongAdder partitionsRead = new LongAdder();
}
