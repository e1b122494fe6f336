package io.cordwood.ingest.builder;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The checkpointed state of one tenant in one partition, without the chunks. Immutable.
 *
 * @param from start of the tenant's next flush: the end of the last one
 * @param nextChunk number of the next chunk
 * @param undeclaredFrom offset of the first row that may need columns for which the catalog was not asked yet;
 *     {@link UndeclaredRows#NONE} if there is none
 * @param ranges the chunk ranges of waiting rows, ascending
 */
record TenantState(long from, long nextChunk, long undeclaredFrom, List<ChunkRange> ranges) {
    TenantState {
        ranges = List.copyOf(ranges);
    }

    /** The same, with the times of reading converted to another clock. */
    TenantState since(LongUnaryOperator otherClock) {
        return new TenantState(
                from,
                nextChunk,
                undeclaredFrom,
                ranges.stream()
                        .map(range -> range.since(otherClock.applyAsLong(range.sinceMillis())))
                        .toList());
    }
}
