package io.cordwood.standalone.tail;

import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.log.OffsetSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Up to where each partition of a topic has been printed. A partition that is not known begins at 0. Not thread-safe.
 */
final class TailPositions {
    private final String topicId;
    private final Map<Integer, Long> next;

    TailPositions(LogOffsets start) {
        this.topicId = start.topicId();
        this.next = new TreeMap<>(start.offsets());
    }

    boolean isOf(String otherTopicId) {
        return topicId.equals(otherTopicId);
    }

    /**
     * What to read next, shared out among the partitions.
     *
     * @param ends where the partitions end; one that ends before what was printed of it has a broker that is just
     *     starting
     * @param most number of offsets, at least 1
     */
    List<OffsetSpan> next(Map<Integer, Long> ends, int most) {
        List<OffsetSpan> unread = new ArrayList<>();
        ends.forEach((partition, end) -> {
            long from = position(partition);
            if (from < end) {
                unread.add(new OffsetSpan(partition, from, end));
            }
        });
        unread.sort(Comparator.comparingLong(OffsetSpan::length).reversed());
        List<OffsetSpan> taken = unread.subList(0, Math.min(most, unread.size()));
        long share = taken.isEmpty() ? 0 : most / taken.size();
        return taken.stream()
                .map(span -> new OffsetSpan(span.partition(), span.from(), Math.min(span.to(), span.from() + share)))
                .toList();
    }

    /** These records are done. */
    void advance(List<OffsetSpan> spans) {
        spans.forEach(span -> next.put(span.partition(), span.to()));
    }

    /** Skips what Kafka no longer has, and returns how many records that are. */
    long skipTo(Map<Integer, Long> begins) {
        long skipped = 0;
        for (Map.Entry<Integer, Long> begin : begins.entrySet()) {
            long missing = begin.getValue() - position(begin.getKey());
            if (missing > 0) {
                skipped += missing;
                next.put(begin.getKey(), begin.getValue());
            }
        }
        return skipped;
    }

    private long position(int partition) {
        return next.getOrDefault(partition, 0L);
    }
}
