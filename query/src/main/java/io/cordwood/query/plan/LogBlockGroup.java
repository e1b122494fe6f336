package io.cordwood.query.plan;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * LogBlocks that one reader reads one after another. Immutable.
 *
 * @param logBlocks the LogBlocks, or parts of them, in the order of reading
 * @param order the order in which the groups of a top-n are read
 */
public record LogBlockGroup(List<ScannedLogBlock> logBlocks, SplitOrder order) implements ScanPart {
    public LogBlockGroup {
        logBlocks = List.copyOf(logBlocks);
        requireNonNull(order, "order is null");
    }

    /** The cost of reading the group, in bytes. */
    public long cost() {
        return logBlocks.stream()
                .mapToLong(logBlock -> SplitGrouping.cost(logBlock.sizeInBytes()))
                .sum();
    }
}
