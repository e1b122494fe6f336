package io.cordwood.ingest.builder;

/**
 * A range of consecutive chunks of a tenant's rows: the smallest unit of waiting rows that can be flushed separately.
 * Immutable.
 *
 * <p>Small chunks share a range, so that there are few ranges after any number of checkpoints.
 *
 * @param first number of the first chunk
 * @param next number after the last chunk; some numbers in between may have no chunk
 * @param firstOffset offset of the first row
 * @param oldestAppendMicros append time of the oldest row
 * @param sinceMillis when the first row was read: in ticks of the job's clock; in a checkpoint by the wall clock
 * @param bytesBefore bytes read from the partition before the first row
 * @param bytes memory of the rows before compression
 */
record ChunkRange(
        long first,
        long next,
        long firstOffset,
        long oldestAppendMicros,
        long sinceMillis,
        long bytesBefore,
        long bytes) {
    /** The same without the rows below an offset; the age of the oldest remaining row is unknown. */
    ChunkRange after(long offset) {
        return new ChunkRange(
                first, next, Math.max(firstOffset, offset), oldestAppendMicros, sinceMillis, bytesBefore, bytes);
    }

    /** The same by another clock. */
    ChunkRange since(long millis) {
        return new ChunkRange(first, next, firstOffset, oldestAppendMicros, millis, bytesBefore, bytes);
    }

    /** Both as one range; the other one comes after this. */
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
