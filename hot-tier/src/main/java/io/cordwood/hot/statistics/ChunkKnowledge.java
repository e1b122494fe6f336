package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;

/** Statistics of a range of records of one chunk. Immutable. */
interface ChunkKnowledge {
    /** The records; all committed ones are covered. */
    OffsetSpan span();

    /** Approximate memory; at least the encoded size. */
    int bytes();

    /** Number of the records' chunk. */
    default long number() {
        return ChunkStatistics.number(span().from());
    }

    /** Whether the statistics cover the whole chunk, and so never change again. */
    default boolean isWhole() {
        return span().from() == number() * ChunkStatistics.OFFSETS
                && span().to() == (number() + 1) * ChunkStatistics.OFFSETS;
    }
}
