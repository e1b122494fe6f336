package io.cordwood.catalog.maintenance;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Locations, of each of which only a hash of 64 bits is kept: 8 to 16 bytes for each. It may say that it holds one that
 * it does not, never the other way round. Not thread-safe while it is filled.
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

    /** Of the path alone: a store may list {@code file:/a} what is referred to as {@code file:///a}. */
    private static long hash(String location) {
        String path = location.replaceFirst("^[a-zA-Z][a-zA-Z0-9+.-]*:", "").replaceFirst("^/+", "/");
        long hash = FNV_OFFSET;
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }
}
