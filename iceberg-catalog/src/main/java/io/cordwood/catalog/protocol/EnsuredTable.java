package io.cordwood.catalog.protocol;

import java.util.Optional;

/**
 * The table for some rows of a tenant, or the floor below which they were deleted. Immutable.
 *
 * @param table the table; empty if the tenant was deleted when some of the rows were in Kafka already, and has had no
 *     table since
 * @param floor rows of the partition below this offset were deleted with the tenant; 0 if there is a table, whose
 *     offsets tell it
 */
public record EnsuredTable(Optional<LoadedTable> table, long floor) {
    /** An existing table. */
    public static EnsuredTable of(LoadedTable table) {
        return new EnsuredTable(Optional.of(table), 0);
    }

    /** No table, since rows below this offset were deleted. */
    public static EnsuredTable deletedBelow(long floor) {
        return new EnsuredTable(Optional.empty(), floor);
    }
}
