package io.cordwood.balancer.service;

import java.util.Map;

/**
 * Log ends and archived offsets of a stream's partitions. Immutable.
 *
 * @param atMillis wall-clock time of the reading, for comparison with other times
 * @param ticks monotonic time of the reading in milliseconds, for comparison with other readings
 * @param ends log end of each partition; has every partition of the topic
 * @param archived offsets below which all rows are in tables, where known
 */
record Offsets(long atMillis, long ticks, Map<Integer, Long> ends, Map<Integer, Long> archived) {
    /** Records that are not in tables yet; 0 if unknown. */
    long lag(int partition) {
        return archived.containsKey(partition) ? Math.max(0, ends.get(partition) - archived.get(partition)) : 0;
    }

    /** Records per second since an earlier reading; 0 if there is none to compare with. */
    double arriving(int partition, Offsets earlier) {
        Long before = earlier.ends().get(partition);
        double seconds = (ticks - earlier.ticks()) / 1e3;
        return before == null || seconds <= 0 ? 0 : Math.max(0, ends.get(partition) - before) / seconds;
    }
}
