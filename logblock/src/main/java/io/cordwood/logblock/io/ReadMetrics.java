package io.cordwood.logblock.io;

import java.util.concurrent.atomic.LongAdder;

/** Counters of reads. Thread-safe. */
public final class ReadMetrics {
    /** Column blocks (pages) in the requested row range. */
    public final LongAdder columnBlocksConsidered = new LongAdder();
    /** Column blocks skipped by min, max and null count. */
    public final LongAdder columnBlocksPrunedByStatistics = new LongAdder();
    /** Column blocks that were fetched to be decompressed, whole or up to some row. */
    public final LongAdder columnBlocksRead = new LongAdder();
    /** Column blocks that were cached decoded by an earlier read. */
    public final LongAdder columnBlocksCached = new LongAdder();
    /**
     * Requested bytes: footer and index when the LogBlock is opened, then parts of the index and column blocks,
     * including those that were cached decoded or were read with the footer.
     */
    public final LongAdder bytesRead = new LongAdder();
    /** Calls of {@link RangeReader#read}. */
    public final LongAdder requests = new LongAdder();
    /** Requests sent to an object store, after caching and merging. */
    public final LongAdder storeRequests = new LongAdder();
    /** Requests repeated to an object store after a failure. */
    public final LongAdder storeRetries = new LongAdder();
    /** Bytes that came from an object store. */
    public final LongAdder storeBytes = new LongAdder();
    /** LogBlocks whose index was missing or unusable, so that rows were scanned. */
    public final LongAdder indexesUnusable = new LongAdder();
}
