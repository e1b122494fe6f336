package io.cordwood.record;

/** Rows of one tenant from one partition of one topic, in (offset, ordinal) order. Not thread-safe. */
public final class RowBuffer {
    public int rowCount() {
        throw new UnsupportedOperationException();
    }

    public boolean isEmpty() {
        return rowCount() == 0;
    }

    /** Bytes of memory held, spare capacity included. */
    public long sizeInBytes() {
        throw new UnsupportedOperationException();
    }

    /** Offset of the first row; the buffer must not be empty. */
    public long firstOffset() {
        throw new UnsupportedOperationException();
    }

    /** Offset of the last row; the buffer must not be empty. */
    public long lastOffset() {
        throw new UnsupportedOperationException();
    }

    /** The earliest append time of the rows, in microseconds; {@code Long.MAX_VALUE} if empty. */
    public long oldestAppendMicros() {
        throw new UnsupportedOperationException();
    }

    /** The rows as bytes: versioned, compressed, with a checksum. */
    public byte[] toChunk() {
        throw new UnsupportedOperationException();
    }

    /**
     * The rows of a chunk.
     *
     * @throws CorruptChunkException if the bytes are not an undamaged chunk of a known version
     */
    public static RowBuffer fromChunk(byte[] chunk) {
        throw new UnsupportedOperationException();
    }

    /** Removes all rows; keeps memory for the next ones. */
    public void clear() {
        throw new UnsupportedOperationException();
    }
}
