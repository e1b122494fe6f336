package io.cordwood.ingest.builder;

import io.cordwood.record.buffer.RowBuffer;
import java.util.List;

/**
 * The input of one flush: a tenant's waiting rows with offsets in {@code [from, to)}. Immutable, except for the buffer.
 *
 * @param from first offset of the range
 * @param to first offset after the range
 * @param ranges the chunk ranges taken, ascending; if the buffer is taken, its rows are the last range, whose chunk is
 *     written only if the flush fails
 * @param buffer buffered rows; empty if the flush does not take them
 */
record FlushInput(long from, long to, List<ChunkRange> ranges, RowBuffer buffer) {
    FlushInput {
        ranges = List.copyOf(ranges);
    }

    /** The ranges whose chunks are in the state: all but the buffer's. */
    List<ChunkRange> spilledRanges() {
        return buffer.isEmpty() ? ranges : ranges.subList(0, ranges.size() - 1);
    }

    /** Memory of the rows. */
    long bytes() {
        return ranges.stream().mapToLong(ChunkRange::bytes).sum();
    }
}
