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
}
