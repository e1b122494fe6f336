package io.cordwood.compaction.plan;

import static java.util.Objects.requireNonNull;

/**
 * A manifest's entry for a LogBlock. Immutable.
 *
 * @param location URI of the object
 * @param sizeInBytes its length
 * @param rows number of rows, including deleted ones
 * @param firstTime time of its first row, microseconds since 1970
 * @param lastTime time of its last row
 * @param hasDeletes whether some of its rows were deleted
 * @param isDense whether it has the dense layout
 */
public record LogBlockEntry(
        String location,
        long sizeInBytes,
        long rows,
        long firstTime,
        long lastTime,
        boolean hasDeletes,
        boolean isDense) {
    public LogBlockEntry {
        requireNonNull(location, "location is null");
        if (lastTime < firstTime) {
            throw new IllegalArgumentException("%s ends before it begins".formatted(location));
        }
    }
}
