package io.cordwood.hot;

import java.util.List;

/**
 * A span of which some records are read: the others certainly hold no row that is wanted. Immutable.
 *
 * @param span the records
 * @param reads those that are read, in order and without overlap
 */
public record HotSpan(OffsetSpan span, List<OffsetSpan> reads) {
    public HotSpan {
        reads = List.copyOf(reads);
    }

    /** A span of which every record is read. */
    public static HotSpan whole(OffsetSpan span) {
        return new HotSpan(span, List.of(span));
    }

    /** Whether every record is read. */
    public boolean isWhole() {
        return reads.equals(List.of(span));
    }
}
