package io.cordwood.hot;

import io.cordwood.hot.log.OffsetSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The offsets by partition that who follows the end of a topic has read up to. An unknown partition begins at 0. Not
 * thread-safe.
 */
public final class TailPositions {
    private final String topicId;
    private final Map<Integer, Long> next;

    public TailPositions(LogOffsets start) {
        this.topicId = start.topicId();
        this.next = new TreeMap<>(start.offsets());
    }

    /** Whether they are of the topic with this id. */
    public boolean isOf(String otherTopicId) {
        return topicId.equals(otherTopicId);
    }

    /**
     * The next offsets to read, divided among the partitions.
     *
     * @param ends log ends of the partitions; a broker that is just starting may report an
     *     end below the offset that was read
     * @param most maximum number of offsets, at least 1
     */
    public List<OffsetSpan> next(Map<Integer, Long> ends, int most) {
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

    /** Marks these records as read. */
    public void advance(List<OffsetSpan> spans) {
        spans.forEach(span -> next.put(span.partition(), span.to()));
    }

    /** Skips records that Kafka no longer has, and returns their number. */
    public long skipTo(Map<Integer, Long> begins) {
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
