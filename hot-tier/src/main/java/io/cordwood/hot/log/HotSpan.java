package io.cordwood.hot.log;

import io.cordwood.logblock.schema.TimeRange;
import java.util.List;

/**
 * A span of which some records are read: the others certainly hold no row that is wanted. Immutable.
 *
 * @param span the records
 * @param reads those that are read, in order and without overlap
 * @param time times that the rows which are wanted certainly lie in
 */
public record HotSpan(OffsetSpan span, List<OffsetSpan> reads, TimeRange time) {
    public HotSpan {
        reads = List.copyOf(reads);
    }

    /** A span of which nothing is known: every record is read. */
    public static HotSpan unknown(OffsetSpan span) {
        return new HotSpan(span, List.of(span), TimeRange.ALL);
    }

    /** Whether every record is read. */
    public boolean isWhole() {
        return reads.equals(List.of(span));
    }
}
