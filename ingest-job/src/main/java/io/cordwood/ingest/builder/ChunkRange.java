package io.cordwood.ingest.builder;

/**
 * Consecutive chunks of a tenant's rows, the smallest part of what waits that can be flushed by itself. Immutable.
 *
 * <p>Small chunks share a run, so that there are few runs however many checkpoints the rows have seen.
 *
 * @param first number of the first chunk
 * @param next number past the last chunk; some numbers in between may have no chunk
 * @param firstOffset offset of the first row
 * @param oldestAppendMicros append time of the oldest row
 * @param sinceMillis when the first row was read: by the ticks of the job's clock, in a checkpoint by the wall clock
 * @param bytesBefore bytes read from the partition before the first row
 * @param bytes memory that the rows took before they were compressed
 */
record ChunkRange(
        long first,
        long next,
        long firstOffset,
        long oldestAppendMicros,
        long sinceMillis,
        long bytesBefore,
        long bytes) {
    /** The same without the rows below an offset; how old the oldest one left is, nobody knows. */
    ChunkRange after(long offset) {
        return new ChunkRange(
                first, next, Math.max(firstOffset, offset), oldestAppendMicros, sinceMillis, bytesBefore, bytes);
    }

    /** The same by another clock. */
    ChunkRange since(long millis) {
        return new ChunkRange(first, next, firstOffset, oldestAppendMicros, millis, bytesBefore, bytes);
    }

    /** Both, as one run; the other one comes after this. */
    ChunkRange with(ChunkRange other) {
        return new ChunkRange(
                first,
                other.next,
                firstOffset,
                Math.min(oldestAppendMicros, other.oldestAppendMicros),
                sinceMillis,
                bytesBefore,
                bytes + other.bytes);
    }
}
