package io.cordwood.query.binding;

import io.cordwood.logblock.predicate.Predicate;
import java.util.List;

/**
 * Conditions on the rows of one table. Immutable.
 *
 * @param pushed the condition that a LogBlock answers, on its own columns
 * @param residual further conditions on SQL columns whose values are computed, evaluated on each row
 */
public record BoundPredicate(Predicate pushed, List<Predicate> residual) {
    public BoundPredicate {
        residual = List.copyOf(residual);
    }
}
