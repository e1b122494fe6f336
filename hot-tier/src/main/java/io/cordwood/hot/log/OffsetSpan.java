package io.cordwood.hot.log;

import java.util.Optional;

/**
 * The records of one partition with offsets in {@code [from, to)}. Immutable.
 *
 * @param partition partition of the topic
 * @param from first offset
 * @param to the offset after the last one
 */
public record OffsetSpan(int partition, long from, long to) {
    public OffsetSpan {
        if (from > to) {
            throw new IllegalArgumentException(
                    "Span of partition %d ends before it begins: [%d, %d)".formatted(partition, from, to));
        }
    }

    /** The records in both spans; empty if there are none. */
    public Optional<OffsetSpan> intersection(OffsetSpan other) {
        long first = Math.max(from, other.from);
        long end = Math.min(to, other.to);
        return partition == other.partition && first < end
                ? Optional.of(new OffsetSpan(partition, first, end))
                : Optional.empty();
    }

    public boolean isEmpty() {
        return from == to;
    }

    /** Number of offsets; some of them may have no record. */
    public long length() {
        return to - from;
    }
}
