package io.cordwood.ingest.builder;

/**
 * The memory of a subtask's rows, in bytes: its limit, and its use by buffers and by flushes in progress. Used by the
 * task thread only.
 *
 * <p>Buffers may take half of the budget. Once they do, memory is freed until they take a quarter.
 */
final class MemoryBudget {
    /** A flush holds its rows twice: as buffers and as sorted columns. */
    private static final int FLUSH_FACTOR = 2;

    private final long bytes;
    private final long flushBytes;
    private long buffered;
    private long flushing;

    /**
     * A budget that is free.
     *
     * @param bytes the limit
     * @param flushBytes memory at which a tenant's rows are flushed; less if the budget does not suffice
     */
    MemoryBudget(long bytes, long flushBytes) {
        this.bytes = bytes;
        this.flushBytes = Math.min(flushBytes, bytes / (2 * FLUSH_FACTOR));
    }

    /** Memory at which a tenant's rows are flushed. */
    long flushBytes() {
        return flushBytes;
    }

    /** Maximum memory of the rows of one flush. */
    long maxFlushBytes() {
        return flushBytes + flushBytes / 4;
    }

    /** Memory that a flush of rows takes. */
    static long ofFlush(long rowBytes) {
        return rowBytes * FLUSH_FACTOR;
    }

    /** Whether buffers take so much that some must be freed. */
    boolean isShort() {
        return buffered > bytes / 2;
    }

    /** Whether enough is free to stop freeing memory. */
    boolean isRelieved() {
        return buffered <= bytes / 4;
    }

    /** Whether a flush that takes this much may begin beside the flushes in progress. */
    boolean hasRoomFor(long flush) {
        return buffered + flushing + flush <= bytes;
    }

    /** Notes that buffers grew, or shrank if negative. */
    void buffered(long growth) {
        buffered += growth;
    }

    /** Notes that no buffer holds rows. */
    void buffersEmptied() {
        buffered = 0;
    }

    /** Notes the begin of a flush. */
    void flushBegan(long flush) {
        flushing += flush;
    }

    /** Notes the end of a flush. */
    void flushEnded(long flush) {
        flushing -= flush;
    }

    /** Memory of the buffered rows. */
    long bufferedBytes() {
        return buffered;
    }

    /** Memory of the flushes in progress. */
    long flushingBytes() {
        return flushing;
    }
}
