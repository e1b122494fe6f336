package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import java.util.ArrayList;
import java.util.List;

/** Finds the time range of a condition, by which scans choose LogBlocks. Stateless. */
final class TimeBounds {
    private static final TimeRange NONE = new TimeRange(0, -1);

    private TimeBounds() {}

    /** Parts a condition into its time range and its other conjuncts. */
    static BoundSearch split(Predicate predicate) {
        List<Predicate> kept = new ArrayList<>();
        TimeRange time = TimeRange.ALL;
        for (Predicate conjunct : conjuncts(predicate)) {
            time = intersection(time, bounds(conjunct));
            boolean isTimeRange = conjunct instanceof Predicate.In(Column column, List<ValueRange> ranges)
                    && isTime(column)
                    && ranges.size() == 1;
            if (!isTimeRange) {
                kept.add(conjunct);
            }
        }
        return new BoundSearch(time, kept);
    }

    private static List<Predicate> conjuncts(Predicate predicate) {
        return predicate instanceof Predicate.And(List<Predicate> terms)
                ? terms.stream().flatMap(term -> conjuncts(term).stream()).toList()
                : List.of(predicate);
    }

    /** A range that has the times of all rows for which the predicate is true. */
    private static TimeRange bounds(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) ->
                terms.stream().map(TimeBounds::bounds).reduce(TimeRange.ALL, TimeBounds::intersection);
            case Predicate.Or(List<Predicate> terms) ->
                terms.stream().map(TimeBounds::bounds).reduce(NONE, TimeBounds::hull);
            case Predicate.In(Column column, List<ValueRange> ranges)
            when isTime(column) -> ranges.stream().map(TimeBounds::range).reduce(NONE, TimeBounds::hull);
            default -> TimeRange.ALL;
        };
    }

    private static boolean isTime(Column column) {
        return column.name().equals(LogBlockSchema.TS);
    }

    private static TimeRange range(ValueRange range) {
        long low = range.low().map(Long.class::cast).orElse(Long.MIN_VALUE);
        long high = range.high().map(Long.class::cast).orElse(Long.MAX_VALUE);
        boolean isAbove = range.low().isPresent() && !range.lowInclusive();
        boolean isBelow = range.high().isPresent() && !range.highInclusive();
        if ((isAbove && low == Long.MAX_VALUE) || (isBelow && high == Long.MIN_VALUE)) {
            return NONE;
        }
        return new TimeRange(isAbove ? low + 1 : low, isBelow ? high - 1 : high);
    }

    private static TimeRange intersection(TimeRange left, TimeRange right) {
        return new TimeRange(
                Math.max(left.fromMicros(), right.fromMicros()), Math.min(left.toMicros(), right.toMicros()));
    }

    private static TimeRange hull(TimeRange left, TimeRange right) {
        if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() ? right : left;
        }
        return new TimeRange(
                Math.min(left.fromMicros(), right.fromMicros()), Math.max(left.toMicros(), right.toMicros()));
    }
}
