package io.cordwood.ingest.builder;

import io.cordwood.record.RowBuffer;
import io.cordwood.record.SettledMembers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

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

    private long bufferFirstOffset = NONE;
    private long bufferOldestMicros = NONE;
    private long bufferSince = NONE;
    private long bufferBytesBefore;

    private final Deque<ChunkRange> runs = new ArrayDeque<>();
    private long from;
    private long nextChunk;
    private long runBytes;
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
        this.runs.addAll(state.runs());
        measureRuns();
    }

    private TenantBuffer(PartitionBuffers partition, String tenantId, long from, long undeclaredFrom) {
        this.partition = partition;
        this.tenantId = tenantId;
        this.from = from;
        this.undeclared = new UndeclaredRows(undeclaredFrom);
    }

    /** What is to be saved, once the buffered rows are a chunk. */
    TenantState state() {
        return new TenantState(from, nextChunk, undeclared.from(), List.copyOf(runs));
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
     * @param appendMicros when Kafka took them
     * @param now tick at which they were read, which is later by how far the job is behind
     * @return by how many bytes the buffer grew
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

    /** Measures the buffer again and returns by how many bytes it grew. */
    long measured() {
        long before = bufferBytes;
        bufferBytes = buffer == null ? 0 : buffer.sizeInBytes();
        return bufferBytes - before;
    }

    /** Which of the rows may need columns that nobody has asked the catalog for. */
    UndeclaredRows undeclared() {
        return undeclared;
    }

    /** Looks for such rows among those that came since the last look; to be done before they leave the buffer. */
    void look() {
        if (buffer != null) {
            undeclared.look(buffer);
        }
    }

    /** The catalog has what rows need that it was asked for. */
    void declared(SettledMembers settled) {
        undeclared.answered(settled);
        changed = true;
    }

    /**
     * The tenant's table may be another one now. What rows from an offset on need is to be declared again.
     *
     * @param offset all rows below it are being flushed, or were deleted with the table
     */
    void forgetDeclared(long offset) {
        undeclared.forget(hasRows() ? Math.max(offset, firstOffset()) : NONE);
        changed = true;
    }

    /** Runs with rows from an offset on, the first ones: one, and more while all take no more than these bytes. */
    List<ChunkRange> runsFrom(long offset, long maxBytes) {
        List<ChunkRange> taken = new ArrayList<>();
        long bytes = 0;
        for (ChunkRange run : runs) {
            bytes += run.bytes();
            if (!taken.isEmpty() && bytes > maxBytes) {
                break;
            }
            if (Math.min(firstOffsetAfter(run), bufferFirstOffset) > offset) {
                taken.add(run);
            } else {
                bytes = 0;
            }
        }
        return taken;
    }

    /** Offset of the first row that was put aside after a run; {@link #NONE} if none was. */
    long firstOffsetAfter(ChunkRange run) {
        return runs.stream()
                .mapToLong(ChunkRange::firstOffset)
                .filter(first -> first > run.firstOffset())
                .findFirst()
                .orElse(NONE);
    }

    /** Memory that the buffer takes. */
    long bufferBytes() {
        return bufferBytes;
    }

    /** Memory that all waiting rows take once they are back from their chunks. */
    long totalBytes() {
        return runBytes + bufferBytes;
    }

    boolean hasRows() {
        return firstOffset() != NONE;
    }

    boolean hasBufferedRows() {
        return buffer != null && !buffer.isEmpty();
    }

    /**
     * Whether the buffer begins with the first row that is not written yet: none waits elsewhere or is being written.
     */
    boolean beginsWithFirstRow() {
        return hasBufferedRows() && runs.isEmpty() && !inFlight;
    }

    /** Offset of the first row that waits. */
    long firstOffset() {
        return runs.isEmpty() ? bufferFirstOffset : runs.getFirst().firstOffset();
    }

    /** Append time of the oldest row that waits. */
    long oldestAppendMicros() {
        return Math.min(runsOldestMicros, bufferOldestMicros);
    }

    /** Tick at which the first row that waits was read. */
    long since() {
        return runs.isEmpty() ? bufferSince : runs.getFirst().sinceMillis();
    }

    /** Bytes that were read from the partition before the first row that waits. */
    long bytesBefore() {
        return runs.isEmpty() ? bufferBytesBefore : runs.getFirst().bytesBefore();
    }

    long nextChunk() {
        return nextChunk;
    }

    /**
     * Turns the buffered rows into a chunk.
     *
     * @param runBytes size up to which chunks are taken together
     * @return the chunk; its number is {@code nextChunk() - 1} now
     */
    byte[] toChunk(long runBytes) {
        byte[] chunk = buffer.toChunk();
        ChunkRange run = takeBuffer();
        if (!runs.isEmpty() && runs.getLast().bytes() + run.bytes() <= runBytes) {
            run = runs.removeLast().with(run);
        }
        runs.addLast(run);
        measureRuns();
        return chunk;
    }

    /** The buffered rows as a run of one chunk, which gets the next number. */
    private ChunkRange takeBuffer() {
        ChunkRange run = new ChunkRange(
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
        return run;
    }

    private void measureRuns() {
        runBytes = runs.stream().mapToLong(ChunkRange::bytes).sum();
        runsOldestMicros =
                runs.stream().mapToLong(ChunkRange::oldestAppendMicros).min().orElse(NONE);
    }

    /**
     * Hands the oldest waiting rows over to a flush: whole runs while they fit, then the buffered rows if they fit too,
     * but at least one of these. One chunk number is left free for the buffered rows, should the flush fail.
     *
     * @param maxBytes what fits
     * @return the rows; the chunks stay in the state until the flush has succeeded
     */
    FlushInput handOver(long maxBytes) {
        List<ChunkRange> taken = new ArrayList<>();
        long bytes = 0;
        while (!runs.isEmpty() && (taken.isEmpty() || bytes + runs.getFirst().bytes() <= maxBytes)) {
            ChunkRange run = runs.removeFirst();
            bytes += run.bytes();
            taken.add(run);
        }
        RowBuffer rows = new RowBuffer();
        if (runs.isEmpty() && hasBufferedRows() && (taken.isEmpty() || bytes + bufferBytes <= maxBytes)) {
            rows = buffer;
            taken.add(takeBuffer());
        }
        measureRuns();
        long to = hasRows() ? firstOffset() : partition.position();
        FlushInput piece = new FlushInput(from, to, taken, rows);
        from = to;
        inFlight = true;
        changed = true;
        return piece;
    }

    /**
     * Takes the rows of a failed flush back. They lie before whatever came since.
     *
     * @param piece the rows; the buffered ones are in the chunk that was left free for them
     * @param retryAt tick from which on to try again
     */
    void takeBack(FlushInput piece, long retryAt) {
        from = piece.from();
        piece.runs().reversed().forEach(runs::addFirst);
        measureRuns();
        inFlight = false;
        failures++;
        retry = retryAt;
        changed = true;
    }

    /**
     * Keeps what a flush left out of a piece, as the first rows that wait.
     *
     * @param flushed where the flush ended: the offset of the first row that was left out, or the end of the piece
     * @return the runs that no row is left of
     */
    List<ChunkRange> keepRest(FlushInput piece, long flushed) {
        if (flushed >= piece.to()) {
            return piece.runs();
        }
        int left = 0;
        while (left + 1 < piece.runs().size() && piece.runs().get(left + 1).firstOffset() <= flushed) {
            left++;
        }
        List<ChunkRange> rest =
                new ArrayList<>(piece.runs().subList(left, piece.runs().size()));
        rest.set(0, rest.getFirst().after(flushed));
        rest.reversed().forEach(runs::addFirst);
        measureRuns();
        from = flushed;
        changed = true;
        return piece.runs().subList(0, left);
    }

    /**
     * A flush has succeeded, and what it left out is kept.
     *
     * @param flushed where it ended
     */
    void succeeded(long flushed) {
        undeclared.flushed(flushed, hasRows());
        inFlight = false;
        failures = 0;
        retry = 0;
    }

    /**
     * Whether rows are being flushed. A tenant has one flush at a time in a partition: were there two and the first
     * failed, the second would be committed without it.
     */
    boolean inFlight() {
        return inFlight;
    }

    /** Whether rows from an offset on are among those that are being flushed. */
    boolean isFlushingFrom(long offset) {
        return inFlight && offset < from;
    }

    /** Attempts in a row that failed. */
    int failures() {
        return failures;
    }

    /** Tick from which on to try again after a failure. */
    long retry() {
        return retry;
    }

    /** Whether the checkpointed state is behind; resets that. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
