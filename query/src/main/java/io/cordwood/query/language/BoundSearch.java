package io.cordwood.query.language;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.TimeRange;
import java.util.List;

/**
 * The condition of a search on the columns of a table. Immutable.
 *
 * @param time the times of all rows that it selects
 * @param conjuncts all conditions that the time range does not express, on SQL columns without ids
 */
public record BoundSearch(TimeRange time, List<Predicate> conjuncts) {
    public BoundSearch {
        requireNonNull(time, "time is null");
        conjuncts = List.copyOf(conjuncts);
    }
}
