package io.cordwood.logblock.scan;

/** The rows {@code [from, to)} of a LogBlock, which cover an interval of time, because rows are in time order. */
public record RowRange(int from, int to) {
    public RowRange {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("Invalid rows [%d, %d)".formatted(from, to));
        }
    }

    public int length() {
        return to - from;
    }

    public boolean isEmpty() {
        return from == to;
    }
}
