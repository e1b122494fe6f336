package io.cordwood.hot;

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

    public boolean isEmpty() {
        return from == to;
    }

    /** Number of offsets; some may have no record. */
    public long length() {
        return to - from;
    }
}
