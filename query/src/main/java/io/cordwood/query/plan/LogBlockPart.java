package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScannedLogBlock;
import java.util.Optional;

/**
 * The requested part of one LogBlock. Immutable.
 *
 * @param logBlock the LogBlock
 * @param time the times of the requested rows; empty for all
 */
public record LogBlockPart(ScannedLogBlock logBlock, Optional<TimeRange> time) {
    static LogBlockPart whole(ScannedLogBlock logBlock) {
        return new LogBlockPart(logBlock, Optional.empty());
    }
}
