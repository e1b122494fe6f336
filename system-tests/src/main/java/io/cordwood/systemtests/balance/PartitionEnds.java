package io.cordwood.systemtests.balance;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Where the end of a partition was at some moments; in between it is taken to have moved evenly. Not thread-safe. */
final class PartitionEnds {
    private final NavigableMap<Long, Long> endByMillis = new TreeMap<>();
    /** For each end the last moment at which it was that. */
    private final NavigableMap<Long, Long> millisByEnd = new TreeMap<>();

    void add(long atMillis, long end) {
        endByMillis.put(atMillis, end);
        millisByEnd.put(end, atMillis);
    }

    /** The end at a moment; before the first look that of the first, after the last that of the last. */
    long endAt(long millis) {
        return between(endByMillis, millis);
    }

    /** When this offset was the end: records below it had come by then. */
    long millisOf(long offset) {
        return between(millisByEnd, offset);
    }

    private static long between(NavigableMap<Long, Long> values, long key) {
        Map.Entry<Long, Long> below = values.floorEntry(key);
        Map.Entry<Long, Long> above = values.ceilingEntry(key);
        if (below == null || above == null) {
            return (below == null ? values.firstEntry() : values.lastEntry()).getValue();
        }
        long width = above.getKey() - below.getKey();
        double share = width == 0 ? 0 : (double) (key - below.getKey()) / width;
        return Math.round(below.getValue() + share * (above.getValue() - below.getValue()));
    }
}
