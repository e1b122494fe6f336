package io.cordwood.logblock.io;

import java.util.concurrent.atomic.LongAdder;

/** Counts what reading cost. Thread-safe. */
public final class ReadMetrics {
    /** Column blocks (pages) that lay in the row range asked for. */
    public final LongAdder columnBlocksConsidered = new LongAdder();
    /** Column blocks skipped by min, max and null count. */
    public final LongAdder columnBlocksPrunedByStatistics = new LongAdder();
    /** Column blocks that were decompressed. */
    public final LongAdder columnBlocksRead = new LongAdder();
    /** Column blocks that were there decoded, from a read before. */
    public final LongAdder columnBlocksCached = new LongAdder();
    /**
     * Bytes of what was asked for: footer and index when the LogBlock is opened, then parts of the index and column
     * blocks, also those that were there decoded or had come with the footer.
     */
    public final LongAdder bytesRead = new LongAdder();
    /** Calls of {@link RangeReader#read}. */
    public final LongAdder requests = new LongAdder();
    /** Requests sent to an object store, after caching and merging. */
    public final LongAdder storeRequests = new LongAdder();
    /** Requests sent to an object store once more, because one before failed. */
    public final LongAdder storeRetries = new LongAdder();
    /** Bytes that came from an object store. */
    public final LongAdder storeBytes = new LongAdder();
    /** LogBlocks whose index was missing or unusable, so that rows were scanned. */
    public final LongAdder indexesUnusable = new LongAdder();
}
