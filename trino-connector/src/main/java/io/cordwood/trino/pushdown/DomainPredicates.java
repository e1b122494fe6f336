package io.cordwood.trino.pushdown;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.type.SqlTypes;
import io.cordwood.trino.type.SqlValues;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.TupleDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the engine's column domains to predicates. Stateless.
 *
 * <p>A domain with bounds does not contain NaN, and neither does a range of a predicate. A domain without bounds
 * contains every value, NaN too, and becomes a condition on null alone.
 */
final class DomainPredicates {
    private DomainPredicates() {}

    /** Whether {@link #predicate} can express the domain. */
    static boolean isSupported(CordwoodColumnHandle column, Domain domain) {
        if (!column.isComparable()) {
            return false;
        }
        return domain.getValues().isNone()
                || domain.getValues().isAll()
                || domain.getValues() instanceof SortedRangeSet;
    }

    /** The domains that {@link #predicates} can express. */
    static TupleDomain<ColumnHandle> supported(TupleDomain<ColumnHandle> domains) {
        return domains.filter((column, domain) -> isSupported((CordwoodColumnHandle) column, domain));
    }

    /** The terms of a conjunction that is true for the rows that the domains admit. */
    static List<Predicate> predicates(TupleDomain<ColumnHandle> domains) {
        if (domains.isNone()) {
            return List.of(Predicate.FALSE);
        }
        List<Predicate> terms = new ArrayList<>();
        for (Map.Entry<ColumnHandle, Domain> entry :
                domains.getDomains().orElseThrow().entrySet()) {
            CordwoodColumnHandle column = (CordwoodColumnHandle) entry.getKey();
            if (!isTimeRange(column, entry.getValue())) {
                terms.add(predicate(column, entry.getValue()));
            }
        }
        return terms;
    }

    /** The condition that the value of the column lies in the domain. */
    static Predicate predicate(CordwoodColumnHandle handle, Domain domain) {
        ColumnType type = SqlTypes.columnType(handle.type());
        Column column = PredicateJson.unbound(handle.name(), type);
        Predicate isNull = new Predicate.IsNull(column);
        if (domain.getValues().isAll()) {
            return domain.isNullAllowed() ? Predicate.TRUE : new Predicate.Not(isNull);
        }
        if (domain.getValues().isNone()) {
            return domain.isNullAllowed() ? isNull : Predicate.FALSE;
        }
        Predicate in = new Predicate.In(
                column,
                domain.getValues().getRanges().getOrderedRanges().stream()
                        .map(range -> range(type, range))
                        .toList());
        return domain.isNullAllowed() ? new Predicate.Or(List.of(in, isNull)) : in;
    }

    private static ValueRange range(ColumnType type, Range range) {
        Optional<Object> low = range.getLowValue().map(value -> SqlValues.toPredicateValue(type, value));
        Optional<Object> high = range.getHighValue().map(value -> SqlValues.toPredicateValue(type, value));
        return new ValueRange(
                low, low.isPresent() && range.isLowInclusive(), high, high.isPresent() && range.isHighInclusive());
    }

    /** The time range that the domains admit. */
    static TimeRange timeRange(TupleDomain<ColumnHandle> domains) {
        if (domains.isNone()) {
            return new TimeRange(0, -1);
        }
        for (Map.Entry<ColumnHandle, Domain> entry :
                domains.getDomains().orElseThrow().entrySet()) {
            CordwoodColumnHandle column = (CordwoodColumnHandle) entry.getKey();
            if (isTime(column) && entry.getValue().getValues() instanceof SortedRangeSet values && !values.isAll()) {
                return values.isNone() ? new TimeRange(0, -1) : timeRange(values.getSpan());
            }
        }
        return TimeRange.ALL;
    }

    private static TimeRange timeRange(Range range) {
        ValueRange micros = range(ColumnType.TIMESTAMP, range);
        long from = micros.low()
                .map(low -> (long) low + (micros.lowInclusive() ? 0 : 1))
                .orElse(Long.MIN_VALUE);
        long to = micros.high()
                .map(high -> (long) high - (micros.highInclusive() ? 0 : 1))
                .orElse(Long.MAX_VALUE);
        return new TimeRange(from, to);
    }

    /** Whether {@link #timeRange} expresses the domain fully. */
    private static boolean isTimeRange(CordwoodColumnHandle column, Domain domain) {
        return isTime(column)
                && domain.getValues() instanceof SortedRangeSet values
                && (values.isAll() || values.getRangeCount() == 1);
    }

    private static boolean isTime(CordwoodColumnHandle column) {
        return column.name().equals(LogBlockSchema.TS);
    }
}
