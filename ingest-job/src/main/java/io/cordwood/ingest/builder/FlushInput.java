package io.cordwood.ingest.builder;

import io.cordwood.record.RowBuffer;
import java.util.List;

/**
 * What one flush takes of a tenant's waiting rows: those with offsets in {@code [from, to)}. Immutable, but for the
 * buffer.
 *
 * @param from first offset of the label
 * @param to first offset past the label
 * @param runs the runs taken, ascending; if the buffer is taken, its rows are the last run, whose chunk is written only
 *     if the flush fails
 * @param buffer buffered rows; empty if they are not taken
 */
record FlushInput(long from, long to, List<ChunkRange> runs, RowBuffer buffer) {
    FlushInput {
        runs = List.copyOf(runs);
    }

    /** The runs whose chunks are in the state: all but the buffer's. */
    List<ChunkRange> runsPutAside() {
        return buffer.isEmpty() ? runs : runs.subList(0, runs.size() - 1);
    }

    /** Memory that the rows take. */
    long bytes() {
        return runs.stream().mapToLong(ChunkRange::bytes).sum();
    }
}
