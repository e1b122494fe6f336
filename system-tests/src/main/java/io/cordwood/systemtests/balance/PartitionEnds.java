package io.cordwood.systemtests.balance;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The log end of a partition at some times, with linear interpolation in between. Not thread-safe. */
final class PartitionEnds {
    private final NavigableMap<Long, Long> endByMillis = new TreeMap<>();
    /** The last time of each log end. */
    private final NavigableMap<Long, Long> millisByEnd = new TreeMap<>();

    void add(long atMillis, long end) {
        endByMillis.put(atMillis, end);
        millisByEnd.put(end, atMillis);
    }

    /** The log end at a time. Before the first poll it is the first one, after the last poll the last one. */
    long endAt(long millis) {
        return between(endByMillis, millis);
    }

    /** The time when this offset was the log end: records below it had arrived by then. */
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
