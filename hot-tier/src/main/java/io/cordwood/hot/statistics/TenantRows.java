package io.cordwood.hot.statistics;

import java.util.Arrays;

/**
 * Statistics of a tenant's rows in a chunk. Immutable.
 *
 * @param rows number of rows
 * @param minMicros time of the earliest row
 * @param maxMicros time of the latest row
 * @param offsets offsets of the records that hold them, relative to the chunk's first one, ascending; empty if there
 *     are too many to list
 */
@SuppressWarnings("ArrayRecordComponent") // Thousands are kept, and never compared or changed
public record TenantRows(long rows, long minMicros, long maxMicros, int[] offsets) {
    /** Limit of the listed records: beyond it, reading the whole chunk takes no longer. */
    static final int MAX_OFFSETS = 16;

    private static final int[] NONE = new int[0];

    static TenantRows of(long rows, long minMicros, long maxMicros, int offset) {
        return new TenantRows(rows, minMicros, maxMicros, new int[] {offset});
    }

    /** These statistics plus the rows of a further record. */
    TenantRows with(long moreRows, long fromMicros, long toMicros, int offset) {
        int[] all = NONE;
        if (offsets.length > 0 && offsets.length < MAX_OFFSETS) {
            all = Arrays.copyOf(offsets, offsets.length + 1);
            all[offsets.length] = offset;
        }
        return new TenantRows(rows + moreRows, Math.min(minMicros, fromMicros), Math.max(maxMicros, toMicros), all);
    }
}
