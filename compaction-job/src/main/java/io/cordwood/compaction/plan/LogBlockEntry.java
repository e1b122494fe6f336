package io.cordwood.compaction.plan;

import static java.util.Objects.requireNonNull;

/**
 * What a manifest says of a LogBlock. Immutable.
 *
 * @param location URI of the object
 * @param sizeInBytes its length
 * @param rows its rows, deleted ones too
 * @param firstTime time of its first row, microseconds since 1970
 * @param lastTime time of its last row
 * @param hasDeletes whether rows of it were deleted
 */
public record LogBlockEntry(
        String location, long sizeInBytes, long rows, long firstTime, long lastTime, boolean hasDeletes) {
    public LogBlockEntry {
        requireNonNull(location, "location is null");
        if (lastTime < firstTime) {
            throw new IllegalArgumentException("%s ends before it begins".formatted(location));
        }
    }
}
