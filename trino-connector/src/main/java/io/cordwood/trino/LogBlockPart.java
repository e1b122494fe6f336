package io.cordwood.trino;

import io.cordwood.logblock.schema.TimeRange;
import java.util.Optional;

/**
 * What is wanted of one LogBlock. Immutable.
 *
 * @param logBlock the LogBlock
 * @param time the times of the rows that are wanted; empty for all
 */
record LogBlockPart(CordwoodColdSplit logBlock, Optional<TimeRange> time) {
    static LogBlockPart whole(CordwoodColdSplit logBlock) {
        return new LogBlockPart(logBlock, Optional.empty());
    }
}
