package io.cordwood.ingest.build;

import io.cordwood.record.RowBuffer;

/**
 * The rows of one tenant from one partition that wait to be flushed: chunks in the checkpointed state, and a buffer of
 * what came since. Used by the task thread only.
 */
final class TenantBuffer {
    private static final long NONE = Long.MAX_VALUE;

    private final PartitionBuffers partition;
    private final String tenantId;
    private RowBuffer buffer;
    private long bufferBytes;

    private long from;
    private long firstChunk;
    private long nextChunk;
    private long chunkRows;
    private long chunkBytes;
    private long firstOffset = NONE;
    private long oldestAppendMicros = NONE;
    private long bytesBefore;

    private long retryMillis;
    private int failures;
    private boolean inFlight;
    private boolean changed;

    TenantBuffer(PartitionBuffers partition, String tenantId, long from) {
        this.partition = partition;
        this.tenantId = tenantId;
        this.from = from;
    }

    TenantBuffer(PartitionBuffers partition, String tenantId, TenantState state) {
        this(partition, tenantId, state.from());
        restore(state);
        this.nextChunk = state.nextChunk();
    }

    private void restore(TenantState state) {
        from = state.from();
        firstChunk = state.firstChunk();
        chunkRows = state.chunkRows();
        chunkBytes = state.chunkBytes();
        firstOffset = state.firstOffset();
        oldestAppendMicros = state.oldestAppendMicros();
        bytesBefore = state.bytesBefore();
    }

    TenantState state() {
        return new TenantState(
                from, firstChunk, nextChunk, chunkRows, chunkBytes, firstOffset, oldestAppendMicros, bytesBefore);
    }

    PartitionBuffers partition() {
        return partition;
    }

    String tenantId() {
        return tenantId;
    }

    /** Where the next flush starts. */
    long from() {
        return from;
    }

    /** Where rows are appended to. */
    RowBuffer buffer() {
        if (buffer == null) {
            buffer = new RowBuffer();
        }
        return buffer;
    }

    /**
     * Takes note of rows that were appended.
     *
     * @return by how many bytes the buffer grew
     */
    long appended(long offset, long appendMicros, long bytesReadBefore) {
        if (firstOffset == NONE) {
            firstOffset = offset;
            bytesBefore = bytesReadBefore;
        }
        oldestAppendMicros = Math.min(oldestAppendMicros, appendMicros);
        changed = true;
        return measured();
    }

    /** Measures the buffer again and returns by how many bytes it grew. */
    long measured() {
        long before = bufferBytes;
        bufferBytes = buffer == null ? 0 : buffer.sizeInBytes();
        return bufferBytes - before;
    }

    /** Memory that the buffer takes. */
    long bufferBytes() {
        return bufferBytes;
    }

    /** Memory that all waiting rows take once they are back from their chunks. */
    long totalBytes() {
        return chunkBytes + bufferBytes;
    }

    boolean hasRows() {
        return firstOffset != NONE;
    }

    boolean hasBufferedRows() {
        return buffer != null && !buffer.isEmpty();
    }

    /** Offset of the first row that waits. */
    long firstOffset() {
        return firstOffset;
    }

    /** Append time of the oldest row that waits. */
    long oldestAppendMicros() {
        return oldestAppendMicros;
    }

    /** Bytes that were read from the partition before the first row that waits. */
    long bytesBefore() {
        return bytesBefore;
    }

    long firstChunk() {
        return firstChunk;
    }

    long nextChunk() {
        return nextChunk;
    }

    /**
     * Turns the buffered rows into a chunk.
     *
     * @return the chunk; its number is {@code nextChunk() - 1} now
     */
    byte[] toChunk() {
        byte[] chunk = buffer.toChunk();
        chunkRows += buffer.rowCount();
        chunkBytes += bufferBytes;
        nextChunk++;
        buffer = null;
        bufferBytes = 0;
        changed = true;
        return chunk;
    }

    /**
     * Hands all waiting rows over to a flush. One chunk number is left free for the buffered rows, should it fail.
     *
     * @param to first offset past the flush
     * @return the buffered rows; the chunks stay in the state until the flush has succeeded
     */
    RowBuffer handOver(long to) {
        RowBuffer rows = buffer();
        buffer = null;
        bufferBytes = 0;
        nextChunk++;
        firstChunk = nextChunk;
        chunkRows = 0;
        chunkBytes = 0;
        firstOffset = NONE;
        oldestAppendMicros = NONE;
        from = to;
        inFlight = true;
        changed = true;
        return rows;
    }

    /**
     * Takes the rows of a failed flush back. They lie before whatever came since.
     *
     * @param order the flush; its buffered rows are in the chunk that was left free for them
     * @param retryAtMillis when to try again
     */
    void takeBack(FlushOrder order, long retryAtMillis) {
        TenantState since = state();
        TenantState before = order.before();
        restore(before);
        chunkRows += order.buffer().rowCount() + since.chunkRows();
        chunkBytes += order.buffer().sizeInBytes() + since.chunkBytes();
        oldestAppendMicros = Math.min(before.oldestAppendMicros(), since.oldestAppendMicros());
        inFlight = false;
        failures++;
        retryMillis = retryAtMillis;
        changed = true;
    }

    /** A flush has succeeded. */
    void succeeded() {
        inFlight = false;
        failures = 0;
        retryMillis = 0;
    }

    /**
     * Whether rows are being flushed. A tenant has one flush at a time in a partition: were there two and the first
     * failed, the second would be committed without it.
     */
    boolean inFlight() {
        return inFlight;
    }

    /** Attempts in a row that failed. */
    int failures() {
        return failures;
    }

    /** When to try again after a failure, milliseconds since the epoch. */
    long retryMillis() {
        return retryMillis;
    }

    /** Whether the checkpointed state is behind; resets that. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
