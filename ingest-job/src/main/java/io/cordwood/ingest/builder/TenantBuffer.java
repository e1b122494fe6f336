package io.cordwood.ingest.builder;

import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.SettledMembers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The waiting rows of one tenant from one partition: chunks in the checkpointed state, and a buffer of newer rows. Used
 * by the task thread only.
 */
final class TenantBuffer {
    private static final long NONE = Long.MAX_VALUE;

    private final PartitionBuffers partition;
    private final String tenantId;
    private RowBuffer buffer;
    private long bufferBytes;

    private long bufferFirstOffset = NONE;
    private long bufferOldestMicros = NONE;
    private long bufferSince = NONE;
    private long bufferBytesBefore;

    private final Deque<ChunkRange> ranges = new ArrayDeque<>();
    private long from;
    private long nextChunk;
    private long rangeBytes;
    private long runsOldestMicros = NONE;

    private final UndeclaredRows undeclared;

    private long retry;
    private int failures;
    private boolean inFlight;
    private boolean changed;

    TenantBuffer(PartitionBuffers partition, String tenantId, long from) {
        this(partition, tenantId, from, UndeclaredRows.NONE);
    }

    TenantBuffer(PartitionBuffers partition, String tenantId, TenantState state) {
        this(partition, tenantId, state.from(), state.undeclaredFrom());
        this.nextChunk = state.nextChunk();
        this.ranges.addAll(state.ranges());
        measureRuns();
    }

    private TenantBuffer(PartitionBuffers partition, String tenantId, long from, long undeclaredFrom) {
        this.partition = partition;
        this.tenantId = tenantId;
        this.from = from;
        this.undeclared = new UndeclaredRows(undeclaredFrom);
    }

    /** The state to save, once the buffered rows are a chunk. */
    TenantState state() {
        return new TenantState(from, nextChunk, undeclared.from(), List.copyOf(ranges));
    }

    PartitionBuffers partition() {
        return partition;
    }

    String tenantId() {
        return tenantId;
    }

    /** The start of the next flush. */
    long from() {
        return from;
    }

    /** The buffer that rows are appended to. */
    RowBuffer buffer() {
        if (buffer == null) {
            buffer = new RowBuffer();
        }
        return buffer;
    }

    /**
     * Notes appended rows.
     *
     * @param appendMicros append time of the record
     * @param now tick at which they were read; later than the append time by the job's lag
     * @return growth of the buffer in bytes
     */
    long appended(long offset, long appendMicros, long now, long bytesReadBefore) {
        if (bufferFirstOffset == NONE) {
            bufferFirstOffset = offset;
            bufferSince = now;
            bufferBytesBefore = bytesReadBefore;
        }
        bufferOldestMicros = Math.min(bufferOldestMicros, appendMicros);
        changed = true;
        return measured();
    }

    /** Measures the buffer again and returns its growth in bytes. */
    long measured() {
        long before = bufferBytes;
        bufferBytes = buffer == null ? 0 : buffer.sizeInBytes();
        return bufferBytes - before;
    }

    /** The rows that may need columns for which the catalog was not asked yet. */
    UndeclaredRows undeclared() {
        return undeclared;
    }

    /** Inspects new rows for missing columns; call this before they leave the buffer. */
    void inspect() {
        if (buffer != null) {
            undeclared.inspect(buffer);
        }
    }

    /** Notes that the catalog has the requested columns. */
    void declared(SettledMembers settled) {
        undeclared.answered(settled);
        changed = true;
    }

    /**
     * Notes that the tenant's table may have been recreated. The columns of rows from an offset on must be declared
     * again.
     *
     * @param offset all rows below it are being flushed, or were deleted with the table
     */
    void forgetDeclared(long offset) {
        undeclared.forget(hasRows() ? Math.max(offset, firstOffset()) : NONE);
        changed = true;
    }

    /**
     * The first ranges with rows from an offset on: one, and more while all of them together do not exceed this many
     * bytes.
     */
    List<ChunkRange> rangesFrom(long offset, long maxBytes) {
        List<ChunkRange> taken = new ArrayList<>();
        long bytes = 0;
        for (ChunkRange range : ranges) {
            bytes += range.bytes();
            if (!taken.isEmpty() && bytes > maxBytes) {
                break;
            }
            if (Math.min(firstOffsetAfter(range), bufferFirstOffset) > offset) {
                taken.add(range);
            } else {
                bytes = 0;
            }
        }
        return taken;
    }

    /** Offset of the first spilled row after a range; {@link #NONE} if there is none. */
    long firstOffsetAfter(ChunkRange range) {
        return ranges.stream()
                .mapToLong(ChunkRange::firstOffset)
                .filter(first -> first > range.firstOffset())
                .findFirst()
                .orElse(NONE);
    }

    /** Memory of the buffer. */
    long bufferBytes() {
        return bufferBytes;
    }

    /** Memory of all waiting rows once their chunks are read back. */
    long totalBytes() {
        return rangeBytes + bufferBytes;
    }

    boolean hasRows() {
        return firstOffset() != NONE;
    }

    boolean hasBufferedRows() {
        return buffer != null && !buffer.isEmpty();
    }

    /** Whether the buffer begins with the first unwritten row: no earlier row waits elsewhere or is being written. */
    boolean beginsWithFirstRow() {
        return hasBufferedRows() && ranges.isEmpty() && !inFlight;
    }

    /** Offset of the first waiting row. */
    long firstOffset() {
        return ranges.isEmpty() ? bufferFirstOffset : ranges.getFirst().firstOffset();
    }

    /** Append time of the oldest waiting row. */
    long oldestAppendMicros() {
        return Math.min(runsOldestMicros, bufferOldestMicros);
    }

    /** Tick at which the first waiting row was read. */
    long since() {
        return ranges.isEmpty() ? bufferSince : ranges.getFirst().sinceMillis();
    }

    /** Bytes read from the partition before the first waiting row. */
    long bytesBefore() {
        return ranges.isEmpty() ? bufferBytesBefore : ranges.getFirst().bytesBefore();
    }

    long nextChunk() {
        return nextChunk;
    }

    /**
     * Converts the buffered rows to a chunk.
     *
     * @param rangeBytes size up to which chunks are combined
     * @return the chunk; its number is now {@code nextChunk() - 1}
     */
    byte[] toChunk(long rangeBytes) {
        byte[] chunk = buffer.toChunk();
        ChunkRange range = takeBuffer();
        if (!ranges.isEmpty() && ranges.getLast().bytes() + range.bytes() <= rangeBytes) {
            range = ranges.removeLast().with(range);
        }
        ranges.addLast(range);
        measureRuns();
        return chunk;
    }

    /** The buffered rows as a range of one chunk, which gets the next number. */
    private ChunkRange takeBuffer() {
        ChunkRange range = new ChunkRange(
                nextChunk,
                nextChunk + 1,
                bufferFirstOffset,
                bufferOldestMicros,
                bufferSince,
                bufferBytesBefore,
                bufferBytes);
        nextChunk++;
        buffer = null;
        undeclared.bufferTaken();
        bufferBytes = 0;
        bufferFirstOffset = NONE;
        bufferOldestMicros = NONE;
        bufferSince = NONE;
        changed = true;
        return range;
    }

    private void measureRuns() {
        rangeBytes = ranges.stream().mapToLong(ChunkRange::bytes).sum();
        runsOldestMicros =
                ranges.stream().mapToLong(ChunkRange::oldestAppendMicros).min().orElse(NONE);
    }

    /**
     * Hands the oldest waiting rows over to a flush: whole ranges while they fit, then the buffered rows if they fit
     * too, but at least one of these. One chunk number stays reserved for the buffered rows in case the flush fails.
     *
     * @param maxBytes maximum bytes
     * @return the rows; the chunks stay in the state until the flush has succeeded
     */
    FlushInput handOver(long maxBytes) {
        List<ChunkRange> taken = new ArrayList<>();
        long bytes = 0;
        while (!ranges.isEmpty()
                && (taken.isEmpty() || bytes + ranges.getFirst().bytes() <= maxBytes)) {
            ChunkRange range = ranges.removeFirst();
            bytes += range.bytes();
            taken.add(range);
        }
        RowBuffer rows = new RowBuffer();
        if (ranges.isEmpty() && hasBufferedRows() && (taken.isEmpty() || bytes + bufferBytes <= maxBytes)) {
            rows = buffer;
            taken.add(takeBuffer());
        }
        measureRuns();
        long to = hasRows() ? firstOffset() : partition.position();
        FlushInput input = new FlushInput(from, to, taken, rows);
        from = to;
        inFlight = true;
        changed = true;
        return input;
    }

    /**
     * Requeues the rows of a failed flush. They come before all newer rows.
     *
     * @param input the rows; the buffered ones are in the chunk reserved for them
     * @param retryAt tick of the next attempt
     */
    void requeue(FlushInput input, long retryAt) {
        from = input.from();
        input.ranges().reversed().forEach(ranges::addFirst);
        measureRuns();
        inFlight = false;
        failures++;
        retry = retryAt;
        changed = true;
    }

    /**
     * Requeues the rows that a flush left out of its input, as the first waiting rows.
     *
     * @param flushed end of the flush: the offset of the first row left out, or the end of the input
     * @return the ranges without remaining rows
     */
    List<ChunkRange> requeueRest(FlushInput input, long flushed) {
        if (flushed >= input.to()) {
            return input.ranges();
        }
        int left = 0;
        while (left + 1 < input.ranges().size() && input.ranges().get(left + 1).firstOffset() <= flushed) {
            left++;
        }
        List<ChunkRange> rest =
                new ArrayList<>(input.ranges().subList(left, input.ranges().size()));
        rest.set(0, rest.getFirst().after(flushed));
        rest.reversed().forEach(ranges::addFirst);
        measureRuns();
        from = flushed;
        changed = true;
        return input.ranges().subList(0, left);
    }

    /**
     * Notes a successful flush. The rows that it left out are requeued already.
     *
     * @param flushed end of the flush
     */
    void succeeded(long flushed) {
        undeclared.flushed(flushed, hasRows());
        inFlight = false;
        failures = 0;
        retry = 0;
    }

    /**
     * Whether rows are being flushed. A tenant has one flush at a time in a partition: with two, the second would be
     * committed even if the first failed.
     */
    boolean inFlight() {
        return inFlight;
    }

    /** Whether rows from an offset on are being flushed. */
    boolean isFlushingFrom(long offset) {
        return inFlight && offset < from;
    }

    /** Consecutive failed attempts. */
    int failures() {
        return failures;
    }

    /** Tick of the next attempt after a failure. */
    long retry() {
        return retry;
    }

    /** Whether the checkpointed state is outdated; resets the flag. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
