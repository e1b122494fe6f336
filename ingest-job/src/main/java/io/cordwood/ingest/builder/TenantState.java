package io.cordwood.ingest.builder;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * What a checkpoint holds of one tenant in one partition, besides the chunks. Immutable.
 *
 * @param from where the tenant's next flush starts: where the last one ended
 * @param nextChunk number of the next chunk to be written
 * @param undeclaredFrom offset of the first row that may need columns which nobody has asked the catalog for; {@link
 *     UndeclaredRows#NONE} if there is none
 * @param runs the chunks of rows that wait, ascending
 */
record TenantState(long from, long nextChunk, long undeclaredFrom, List<ChunkRange> runs) {
    TenantState {
        runs = List.copyOf(runs);
    }

    /** The same with the times since which rows wait told by another clock. */
    TenantState since(LongUnaryOperator otherClock) {
        return new TenantState(
                from,
                nextChunk,
                undeclaredFrom,
                runs.stream()
                        .map(run -> run.since(otherClock.applyAsLong(run.sinceMillis())))
                        .toList());
    }
}
