package io.cordwood.logblock.parquet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * A pool of arrays to decompress pages into. An array is reused once its page is no longer used: fresh memory for each
 * page costs about as much as decompressing into memory in the processor's cache. Not thread-safe.
 */
public final class PageBuffers {
    private static final int MAX_FREE = 64;
    private static final int MAX_FREE_BYTES = 16 << 20;
    private static final int GRANULE = 1 << 15;
    /** A page of text of the dense layout fits. */
    private static final int MAX_SIZE = 16 * GRANULE;

    private final Deque<byte[]> free = new ArrayDeque<>();
    private long freeBytes;

    /** An array of at least {@code size} bytes, and not many more than twice as many, with any contents. */
    byte[] take(int size) {
        for (Iterator<byte[]> buffers = free.iterator(); buffers.hasNext(); ) {
            byte[] buffer = buffers.next();
            if (buffer.length >= size && buffer.length <= 2L * size + GRANULE) {
                buffers.remove();
                freeBytes -= buffer.length;
                return buffer;
            }
        }
        return new byte[size <= MAX_SIZE ? Math.ceilDiv(size, GRANULE) * GRANULE : size];
    }

    /** The size of the free arrays in bytes. */
    public long retainedBytes() {
        return freeBytes;
    }

    /** Returns an array to the pool; nothing may refer to it any more. */
    public void give(byte[] buffer) {
        if (buffer.length < GRANULE || buffer.length > MAX_SIZE) {
            return;
        }
        free.push(buffer);
        freeBytes += buffer.length;
        while (free.size() > MAX_FREE || freeBytes > MAX_FREE_BYTES) {
            // Others of this size may no longer be asked for
            freeBytes -= free.removeLast().length;
        }
    }
}
