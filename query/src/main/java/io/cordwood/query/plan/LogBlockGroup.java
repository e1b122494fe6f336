package io.cordwood.query.plan;

import java.util.List;

/**
 * LogBlocks that are read one after another. Immutable.
 *
 * @param parts the LogBlocks, or parts of them, in the order of reading
 * @param order when the group is read among those of a top-n
 */
public record LogBlockGroup(List<LogBlockPart> parts, SplitOrder order) {
    public LogBlockGroup {
        parts = List.copyOf(parts);
    }
}
