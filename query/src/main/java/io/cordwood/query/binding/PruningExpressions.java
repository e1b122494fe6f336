package io.cordwood.query.binding;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * Converts predicates into Iceberg expressions, which select the files that may hold matching rows. A predicate without
 * an equivalent admits every file, so an expression is true wherever its predicate is. Stateless.
 */
public final class PruningExpressions {
    /**
     * More ranges than this are replaced by their span, because each range is compared with the bounds of each file.
     */
    private static final int MAX_RANGES = 100;

    private PruningExpressions() {}

    public static Expression of(TimeRange time) {
        Expression from = time.fromMicros() == Long.MIN_VALUE
                ? Expressions.alwaysTrue()
                : Expressions.greaterThanOrEqual(LogBlockSchema.TS, time.fromMicros());
        Expression to = time.toMicros() == Long.MAX_VALUE
                ? Expressions.alwaysTrue()
                : Expressions.lessThanOrEqual(LogBlockSchema.TS, time.toMicros());
        return Expressions.and(from, to);
    }

    public static Expression of(List<Predicate> conjuncts, TableBinding binding) {
        Expression result = Expressions.alwaysTrue();
        for (Predicate conjunct : conjuncts) {
            result = Expressions.and(result, of(conjunct, binding));
        }
        return result;
    }

    private static Expression of(Predicate predicate, TableBinding binding) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> of(terms, binding);
            case Predicate.Or(List<Predicate> terms) -> {
                Expression result = Expressions.alwaysFalse();
                for (Predicate term : terms) {
                    result = Expressions.or(result, of(term, binding));
                }
                yield result;
            }
            case Predicate.Not(Predicate.IsNull(Column column)) ->
                stored(column, binding)
                        .<Expression>map(stored -> Expressions.notNull(stored.name()))
                        .orElseGet(() -> unlessAbsent(column, binding));
            case Predicate.IsNull(Column column) ->
                stored(column, binding)
                        .<Expression>map(stored -> Expressions.isNull(stored.name()))
                        .orElse(Expressions.alwaysTrue());
            case Predicate.In(Column column, List<ValueRange> ranges) ->
                stored(column, binding)
                        .map(stored -> in(stored.name(), ranges))
                        .orElseGet(() -> unlessAbsent(column, binding));
            case Predicate.Like(Column column, String pattern, Optional<Character> escape) ->
                stored(column, binding)
                        .map(stored -> like(stored.name(), pattern, escape))
                        .orElseGet(() -> unlessAbsent(column, binding));
            case Predicate.Match(Column column, var query) -> unlessAbsent(column, binding);
            case Predicate.Not _ -> Expressions.alwaysTrue();
        };
    }

    /** A column that the table lacks is null in all rows, so a condition on its values is true for none. */
    private static Expression unlessAbsent(Column column, TableBinding binding) {
        boolean isAbsent = !column.name().startsWith("$")
                && binding.constant(column.name()).isEmpty()
                && !binding.isAttribute(column.name())
                && binding.sources(column.name()).isEmpty();
        return isAbsent ? Expressions.alwaysFalse() : Expressions.alwaysTrue();
    }

    /** The stored column whose values are those of the SQL column, if it is one. */
    private static Optional<Column> stored(Column column, TableBinding binding) {
        List<Column> sources = binding.sources(column.name());
        return sources.size() == 1 && sources.getFirst().type() == column.type() && column.type() != ColumnType.MAP
                ? Optional.of(sources.getFirst())
                : Optional.empty();
    }

    private static Expression in(String name, List<ValueRange> ranges) {
        if (ranges.isEmpty()) {
            return Expressions.alwaysFalse();
        }
        if (ranges.size() > MAX_RANGES) {
            ValueRange first = ranges.getFirst();
            ValueRange last = ranges.getLast();
            return in(name, new ValueRange(first.low(), first.lowInclusive(), last.high(), last.highInclusive()));
        }
        Expression result = Expressions.alwaysFalse();
        for (ValueRange range : ranges) {
            result = Expressions.or(result, in(name, range));
        }
        return result;
    }

    private static Expression in(String name, ValueRange range) {
        if (range.isSingleValue()) {
            return Expressions.equal(name, range.low().orElseThrow());
        }
        Expression low = range.low()
                .<Expression>map(value -> range.lowInclusive()
                        ? Expressions.greaterThanOrEqual(name, value)
                        : Expressions.greaterThan(name, value))
                .orElse(Expressions.alwaysTrue());
        Expression high = range.high()
                .<Expression>map(value -> range.highInclusive()
                        ? Expressions.lessThanOrEqual(name, value)
                        : Expressions.lessThan(name, value))
                .orElse(Expressions.alwaysTrue());
        return Expressions.and(low, high);
    }

    private static Expression like(String name, String pattern, Optional<Character> escape) {
        int end = 0;
        while (end < pattern.length()
                && "%_".indexOf(pattern.charAt(end)) < 0
                && !(escape.isPresent() && escape.get() == pattern.charAt(end))) {
            end++;
        }
        return end == 0 ? Expressions.notNull(name) : Expressions.startsWith(name, pattern.substring(0, end));
    }
}
