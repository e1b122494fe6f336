package io.cordwood.hot.log;

import io.cordwood.logblock.schema.TimeRange;
import java.util.List;

/**
 * A span of which a scan reads some records; the other records certainly hold no matching row. Immutable.
 *
 * @param span all records
 * @param reads the records to read, in order and without overlap
 * @param time a range that contains the times of all matching rows
 */
public record HotSpan(OffsetSpan span, List<OffsetSpan> reads, TimeRange time) {
    public HotSpan {
        reads = List.copyOf(reads);
    }

    /** A span without statistics: every record is read. */
    public static HotSpan unknown(OffsetSpan span) {
        return new HotSpan(span, List.of(span), TimeRange.ALL);
    }

    /** Whether the scan reads every record. */
    public boolean isWhole() {
        return reads.equals(List.of(span));
    }
}
