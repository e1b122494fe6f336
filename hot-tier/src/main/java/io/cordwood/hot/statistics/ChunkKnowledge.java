package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;

/** Something that is known of a run of records of one chunk. Immutable. */
interface ChunkKnowledge {
    /** The records; all committed ones are covered. */
    OffsetSpan span();

    /** Memory that it takes, about; no less than what it is encoded. */
    int bytes();

    /** Number of the chunk that the records are in. */
    default long number() {
        return ChunkStatistics.number(span().from());
    }

    /** Whether all of the chunk is covered, so that nothing will ever be added. */
    default boolean isWhole() {
        return span().from() == number() * ChunkStatistics.OFFSETS
                && span().to() == (number() + 1) * ChunkStatistics.OFFSETS;
    }
}
