package io.cordwood.catalog.maintenance;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A set of locations that keeps only a 64-bit hash of each: 8 to 16 bytes per location. A false positive is possible, a
 * false negative is not. Not thread-safe while it is filled.
 */
final class LocationSet {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private long[] hashes = new long[1024];
    private int size;
    private boolean sorted;

    void add(String location) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.multiplyExact(size, 2));
        }
        hashes[size] = hash(location);
        size++;
        sorted = false;
    }

    boolean mayContain(String location) {
        if (!sorted) {
            Arrays.sort(hashes, 0, size);
            sorted = true;
        }
        return Arrays.binarySearch(hashes, 0, size, hash(location)) >= 0;
    }

    /** Hash of the path alone: a store may list {@code file:/a} for a reference to {@code file:///a}. */
    private static long hash(String location) {
        String path = location.replaceFirst("^[a-zA-Z][a-zA-Z0-9+.-]*:", "").replaceFirst("^/+", "/");
        long hash = FNV_OFFSET;
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }
}
