package io.cordwood.logblock.parquet;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arrays that pages are decompressed into, used again once nobody looks at their page: fresh memory for each page costs
 * about as much as decompressing into memory that is in the processor's cache. Not thread-safe.
 */
public final class PageBuffers {
    private static final int MAX_FREE = 128;
    private static final int GRANULE = 1 << 15;

    private final Deque<byte[]> free = new ArrayDeque<>();

    /** An array of at least {@code size} bytes, with any contents. */
    byte[] take(int size) {
        byte[] buffer = free.poll();
        // One that is too small is let go, so that sizes come to fit
        return buffer != null && buffer.length >= size
                ? buffer
                : new byte[size <= 8 * GRANULE ? Math.ceilDiv(size, GRANULE) * GRANULE : size];
    }

    /** Takes back an array that nobody refers to any more. */
    public void give(byte[] buffer) {
        if (buffer.length >= GRANULE && buffer.length <= 8 * GRANULE && free.size() < MAX_FREE) {
            free.push(buffer);
        }
    }
}
