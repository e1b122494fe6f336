package io.cordwood.balancer.service;

import java.util.Map;

/**
 * Where the partitions of a stream stand. Immutable.
 *
 * @param atMillis when that was looked up, to be compared with the times of others
 * @param ticks the same in milliseconds that go on evenly wherever the clock is set, to be compared with other looks
 * @param ends offset of each partition's end; every partition of the topic is here
 * @param archived offsets below which all rows are in tables, where known
 */
record Offsets(long atMillis, long ticks, Map<Integer, Long> ends, Map<Integer, Long> archived) {
    /** Records that are not in tables yet; 0 if unknown. */
    long lag(int partition) {
        return archived.containsKey(partition) ? Math.max(0, ends.get(partition) - archived.get(partition)) : 0;
    }

    /** Records per second that came since an earlier look; 0 if there is none to compare with. */
    double arriving(int partition, Offsets earlier) {
        Long before = earlier.ends().get(partition);
        double seconds = (ticks - earlier.ticks()) / 1e3;
        return before == null || seconds <= 0 ? 0 : Math.max(0, ends.get(partition) - before) / seconds;
    }
}
