package io.cordwood.query.predicate;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Ranges;
import io.cordwood.logblock.schema.Column;
import java.util.List;

/**
 * Evaluates predicates for rows with one known value in a column. Terms on other columns may be true or false.
 * Stateless.
 */
public final class ConstantPredicate {
    private ConstantPredicate() {}

    /**
     * Whether the predicate may be true for a row with this value.
     *
     * @param column name of the column
     * @param value its value in the row, not null, in the form of {@link Predicate.ValueRange}
     */
    public static boolean mayBeTrue(Predicate predicate, String column, Object value) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) ->
                terms.stream().allMatch(term -> mayBeTrue(term, column, value));
            case Predicate.Or(List<Predicate> terms) -> terms.stream().anyMatch(term -> mayBeTrue(term, column, value));
            case Predicate.Not(Predicate term) -> !isTrue(term, column, value);
            case Predicate.IsNull(Column on) -> !isOn(on, column);
            case Predicate.In in -> !isOn(in.column(), column) || Ranges.contains(in, value);
            case Predicate.Match(Column on, var _) -> !isOn(on, column) || matches(predicate, value);
            case Predicate.Like(Column on, var _, var _) -> !isOn(on, column) || matches(predicate, value);
        };
    }

    /** Whether the predicate is certainly true for a row with this value. */
    private static boolean isTrue(Predicate predicate, String column, Object value) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> terms.stream().allMatch(term -> isTrue(term, column, value));
            case Predicate.Or(List<Predicate> terms) -> terms.stream().anyMatch(term -> isTrue(term, column, value));
            case Predicate.Not(Predicate term) -> !mayBeTrue(term, column, value);
            case Predicate.IsNull _ -> false;
            case Predicate.In in -> isOn(in.column(), column) && Ranges.contains(in, value);
            case Predicate.Match(Column on, var _) -> isOn(on, column) && matches(predicate, value);
            case Predicate.Like(Column on, var _, var _) -> isOn(on, column) && matches(predicate, value);
        };
    }

    private static boolean isOn(Column on, String column) {
        return on.name().equals(column);
    }

    private static boolean matches(Predicate leaf, Object value) {
        return Predicates.evaluate(leaf, (String) value);
    }
}
