package io.cordwood.query.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a predicate says of rows that have one known value in a column. Terms on other columns may be true or not.
 * Stateless.
 */
public final class ConstantPredicate {
    private ConstantPredicate() {}

    /**
     * Whether the predicate may be true for a row with this value.
     *
     * @param column name of the column
     * @param value its value in the row, not null, as {@link ValueRange} has it
     */
    public static boolean mayBeTrue(Predicate predicate, String column, Object value) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) ->
                terms.stream().allMatch(term -> mayBeTrue(term, column, value));
            case Predicate.Or(List<Predicate> terms) -> terms.stream().anyMatch(term -> mayBeTrue(term, column, value));
            case Predicate.Not(Predicate term) -> !isTrue(term, column, value);
            case Predicate.IsNull(Column on) -> !isOn(on, column);
            case Predicate.In(Column on, List<ValueRange> ranges) -> !isOn(on, column) || contains(ranges, value);
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
            case Predicate.In(Column on, List<ValueRange> ranges) -> isOn(on, column) && contains(ranges, value);
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

    /** Looks for the last range that begins at or below the value: ranges are sorted and disjoint, and may be many. */
    private static boolean contains(List<ValueRange> ranges, Object value) {
        int from = 0;
        int to = ranges.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            ValueRange range = ranges.get(middle);
            if (isBelow(range.low(), range.lowInclusive(), value)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from > 0
                && isAbove(ranges.get(from - 1).high(), ranges.get(from - 1).highInclusive(), value);
    }

    private static boolean isBelow(Optional<Object> low, boolean inclusive, Object value) {
        return low.isEmpty() || compare(low.get(), value) < (inclusive ? 1 : 0);
    }

    private static boolean isAbove(Optional<Object> high, boolean inclusive, Object value) {
        return high.isEmpty() || compare(high.get(), value) > (inclusive ? -1 : 0);
    }

    private static int compare(Object first, Object second) {
        return switch (first) {
            case Long number -> Long.compare(number, (Long) second);
            case Double number -> Double.compare(number, (Double) second);
            case Boolean flag -> Boolean.compare(flag, (Boolean) second);
            case String text -> Arrays.compareUnsigned(text.getBytes(UTF_8), ((String) second).getBytes(UTF_8));
            default -> throw new IllegalArgumentException("Not a value of a predicate: " + first);
        };
    }
}
