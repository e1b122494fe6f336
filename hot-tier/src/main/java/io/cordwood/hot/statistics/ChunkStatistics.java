package io.cordwood.hot.statistics;

import io.cordwood.hot.OffsetSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is known of the rows of a run of records of one partition. Immutable.
 *
 * @param span the records; all committed ones are covered
 * @param tenants whose rows they hold
 */
public record ChunkStatistics(OffsetSpan span, Map<String, TenantRows> tenants) {
    /** A chunk lies between two multiples of so many offsets. */
    public static final long OFFSETS = 8192;

    public ChunkStatistics {
        tenants = Map.copyOf(tenants);
    }

    /** The number of the chunk that an offset lies in. */
    public static long number(long offset) {
        return offset / OFFSETS;
    }

    /** A span cut where chunks end. */
    public static List<OffsetSpan> cut(OffsetSpan span) {
        List<OffsetSpan> parts = new ArrayList<>();
        long from = span.from();
        while (from < span.to()) {
            long to = Math.min(span.to(), (number(from) + 1) * OFFSETS);
            parts.add(new OffsetSpan(span.partition(), from, to));
            from = to;
        }
        return parts;
    }

    /** Number of this chunk. */
    public long number() {
        return number(span.from());
    }

    /** Whether all of the chunk is covered, so that nothing will ever be added. */
    public boolean isWhole() {
        return isWhole(span);
    }

    /** Whether a span is all of a chunk. */
    static boolean isWhole(OffsetSpan span) {
        long number = number(span.from());
        return span.from() == number * OFFSETS && span.to() == (number + 1) * OFFSETS;
    }
}
