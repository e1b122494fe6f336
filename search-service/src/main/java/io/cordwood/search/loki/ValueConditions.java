package io.cordwood.search.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.search.logql.Comparison;
import io.cordwood.search.logql.LabelMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Conditions of LogQL on one column, as predicates. A row without a value has the empty value. Stateless. */
final class ValueConditions {
    /** The largest number up to which a double has every whole number. */
    private static final double MAX_EXACT = 1L << 53;

    private static final String ANY_VALUE = ".+";

    private ValueConditions() {}

    /** The predicate that is true for exactly the rows of a matcher; empty if there is none. */
    static Optional<Predicate> of(LabelMatcher matcher, Column column) {
        Optional<Predicate> positive = switch (matcher.operator()) {
            case EQUAL, NOT_EQUAL -> hasText(column, List.of(matcher.value()));
            case MATCHES, NOT_MATCHES -> matching(matcher.value(), column);
        };
        boolean isNegated = matcher.operator() == LabelMatcher.Operator.NOT_EQUAL
                || matcher.operator() == LabelMatcher.Operator.NOT_MATCHES;
        return positive.map(ofValue -> withNull(column, negated(ofValue, isNegated), matcher.matches("")));
    }

    /** A condition on values, and what holds for rows without one. */
    static Predicate withNull(Column column, Predicate ofValue, boolean holdsForNull) {
        Predicate isNull = new Predicate.IsNull(column);
        if (!holdsForNull) {
            return ofValue.equals(Predicate.TRUE) ? new Predicate.Not(isNull) : ofValue;
        }
        return Predicates.or(List.of(isNull, ofValue));
    }

    static Predicate negated(Predicate predicate, boolean isNegated) {
        if (!isNegated) {
            return predicate;
        }
        if (predicate.equals(Predicate.FALSE)) {
            return Predicate.TRUE;
        }
        return predicate.equals(Predicate.TRUE) ? Predicate.FALSE : new Predicate.Not(predicate);
    }

    private static Optional<Predicate> matching(String regex, Column column) {
        if (regex.equals(ANY_VALUE)) {
            Predicate empty = column.type() == ColumnType.VARCHAR ? in(column, List.of("")) : Predicate.FALSE;
            return Optional.of(negated(empty, true));
        }
        Optional<List<RegexLiterals.Alternative>> alternatives = RegexLiterals.of(regex);
        if (alternatives.isEmpty()) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>();
        List<Predicate> terms = new ArrayList<>();
        for (RegexLiterals.Alternative alternative : alternatives.get()) {
            if (!alternative.anyBefore() && !alternative.anyAfter()) {
                values.add(alternative.literal());
            } else if (alternative.literal().isEmpty()) {
                return Optional.of(Predicate.TRUE);
            } else if (column.type() == ColumnType.VARCHAR) {
                terms.add(Like.of(column, alternative.literal(), alternative.anyBefore(), alternative.anyAfter()));
            } else {
                return Optional.empty();
            }
        }
        Optional<Predicate> exact = hasText(column, values);
        return exact.map(predicate -> {
            terms.add(predicate);
            return Predicates.or(terms);
        });
    }

    /** The condition that a column has one of these values as text; empty if values of its type have several texts. */
    private static Optional<Predicate> hasText(Column column, Collection<String> texts) {
        return switch (column.type()) {
            case VARCHAR ->
                Optional.of(in(
                        column,
                        texts.stream()
                                .distinct()
                                .sorted((left, right) ->
                                        Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8)))
                                .toList()));
            case BIGINT ->
                Optional.of(in(
                        column,
                        texts.stream()
                                .flatMap(text -> whole(text).stream())
                                .distinct()
                                .sorted()
                                .toList()));
            case BOOLEAN ->
                Optional.of(in(
                        column,
                        texts.stream()
                                .filter(text -> text.equals("true") || text.equals("false"))
                                .map(Boolean::valueOf)
                                .distinct()
                                .sorted()
                                .toList()));
            case DOUBLE, TIMESTAMP, MAP -> Optional.empty();
        };
    }

    private static Predicate in(Column column, List<?> values) {
        return values.isEmpty()
                ? Predicate.FALSE
                : new Predicate.In(
                        column,
                        values.stream().<ValueRange>map(ValueRange::equal).toList());
    }

    /** The number whose text this is. */
    private static Optional<Long> whole(String text) {
        try {
            long number = Long.parseLong(text);
            return Long.toString(number).equals(text) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** A comparison with a number; empty if the column has other values, or rounding could change the result. */
    static Optional<Predicate> compared(Column column, Comparison comparison, double value) {
        if (column.type() == ColumnType.DOUBLE) {
            return Optional.of(range(column, comparison, value + 0.0));
        }
        boolean isExact = value == Math.rint(value) && Math.abs(value) < MAX_EXACT;
        return column.type() == ColumnType.BIGINT && isExact
                ? Optional.of(range(column, comparison, (long) value))
                : Optional.empty();
    }

    private static Predicate range(Column column, Comparison comparison, Object value) {
        Optional<Object> end = Optional.of(value);
        return switch (comparison) {
            case EQUAL -> in(column, List.of(value));
            case NOT_EQUAL -> new Predicate.Not(in(column, List.of(value)));
            case GREATER -> in(column, end, false, Optional.empty(), false);
            case GREATER_OR_EQUAL -> in(column, end, true, Optional.empty(), false);
            case LESS -> in(column, Optional.empty(), false, end, false);
            case LESS_OR_EQUAL -> in(column, Optional.empty(), false, end, true);
        };
    }

    private static Predicate in(
            Column column, Optional<Object> low, boolean lowInclusive, Optional<Object> high, boolean highInclusive) {
        return new Predicate.In(column, List.of(new ValueRange(low, lowInclusive, high, highInclusive)));
    }
}
