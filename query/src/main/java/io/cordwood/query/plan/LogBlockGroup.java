package io.cordwood.query.plan;

import java.util.List;

/**
 * A group of LogBlocks that are read one after another. Immutable.
 *
 * @param parts the LogBlocks, or parts of them, in the order of reading
 * @param order the order in which the groups of a top-n are read
 */
public record LogBlockGroup(List<LogBlockPart> parts, SplitOrder order) {
    public LogBlockGroup {
        parts = List.copyOf(parts);
    }
}
