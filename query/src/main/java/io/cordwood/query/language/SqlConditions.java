package io.cordwood.query.language;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.table.QueryColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes predicates on SQL columns as conditions of Trino's SQL that are true, false and null for the same rows.
 * Stateless.
 */
public final class SqlConditions {
    private static final String NULL = "CAST(NULL AS boolean)";

    /**
     * A condition.
     *
     * @param binds whether it binds like a comparison, so that it needs no parentheses beside {@code AND} and {@code
     *     OR}
     */
    private record Sql(String text, boolean binds) {
        static Sql comparison(String text) {
            return new Sql(text, true);
        }

        static Sql joined(List<Sql> terms, String operator, String ofNone) {
            return switch (terms.size()) {
                case 0 -> new Sql(ofNone, true);
                case 1 -> terms.getFirst();
                default -> new Sql(terms.stream().map(Sql::operand).collect(Collectors.joining(operator)), false);
            };
        }

        String operand() {
            return binds ? text : "(%s)".formatted(text);
        }
    }

    private SqlConditions() {}

    /** The condition of a search, for {@code WHERE}; {@code TRUE} if it selects every row. */
    public static String of(BoundSearch search) {
        List<Predicate> terms = new ArrayList<>();
        terms.add(within(search.time()));
        terms.addAll(search.conjuncts());
        return of(Predicates.and(terms));
    }

    private static Predicate within(TimeRange time) {
        if (time.equals(TimeRange.ALL)) {
            return Predicate.TRUE;
        }
        if (time.isEmpty()) {
            return Predicate.FALSE;
        }
        Optional<Object> from = Optional.<Object>of(time.fromMicros()).filter(end -> !end.equals(Long.MIN_VALUE));
        Optional<Object> to = Optional.<Object>of(time.toMicros()).filter(end -> !end.equals(Long.MAX_VALUE));
        return new Predicate.In(
                PredicateJson.unbound(LogBlockSchema.TS, ColumnType.TIMESTAMP),
                List.of(new ValueRange(from, from.isPresent(), to, to.isPresent())));
    }

    /** The condition of a predicate. */
    public static String of(Predicate predicate) {
        return sql(predicate).text();
    }

    private static Sql sql(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> Sql.joined(all(terms), " AND ", "TRUE");
            case Predicate.Or(List<Predicate> terms) -> Sql.joined(all(terms), " OR ", "FALSE");
            case Predicate.Not(Predicate.IsNull(Column column)) -> Sql.comparison(value(column) + " IS NOT NULL");
            case Predicate.Not(Predicate.Match match) ->
                Sql.comparison("NOT " + sql(match).text());
            case Predicate.Not(Predicate term) ->
                Sql.comparison("NOT (%s)".formatted(sql(term).text()));
            case Predicate.IsNull(Column column) -> Sql.comparison(value(column) + " IS NULL");
            case Predicate.Match(Column column, MatchQuery query) ->
                Sql.comparison("%s(%s, %s)"
                        .formatted(matchFunction(column), value(column), SqlLiterals.text(query.toString())));
            case Predicate.Like(Column column, String pattern, Optional<Character> escape) ->
                Sql.comparison("%s LIKE %s%s"
                        .formatted(
                                value(column),
                                SqlLiterals.text(pattern),
                                escape.map(character -> " ESCAPE " + SqlLiterals.text(character.toString()))
                                        .orElse("")));
            case Predicate.In(Column column, List<ValueRange> ranges) -> in(column, ranges);
        };
    }

    private static List<Sql> all(List<Predicate> terms) {
        return terms.stream().map(SqlConditions::sql).toList();
    }

    private static String value(Column column) {
        return QueryColumn.attributeKey(column.name())
                .map(key -> "element_at(%s, %s)".formatted(LogBlockSchema.ATTRIBUTES, SqlLiterals.text(key)))
                .orElseGet(() -> SqlNames.of(column.name()));
    }

    /** The function that evaluates a query: only of a column does Trino know whether it is text or keyword. */
    private static String matchFunction(Column column) {
        return QueryColumn.attributeKey(column.name()).isPresent() ? "match_keyword" : "match";
    }

    private static Sql in(Column column, List<ValueRange> ranges) {
        String value = value(column);
        if (ranges.isEmpty()) {
            return new Sql("%s IS NULL AND %s".formatted(value, NULL), false);
        }
        List<Sql> terms = new ArrayList<>();
        List<String> points = ranges.stream()
                .filter(ValueRange::isSingleValue)
                .map(range -> SqlLiterals.of(range.low().orElseThrow(), column.type()))
                .toList();
        if (points.size() == 1) {
            terms.add(Sql.comparison(value + " = " + points.getFirst()));
        } else if (!points.isEmpty()) {
            terms.add(Sql.comparison("%s IN (%s)".formatted(value, String.join(", ", points))));
        }
        ranges.stream()
                .filter(range -> !range.isSingleValue())
                .map(range -> range(value, range, column.type()))
                .forEach(terms::add);
        return Sql.joined(terms, " OR ", "FALSE");
    }

    private static Sql range(String value, ValueRange range, ColumnType type) {
        Optional<String> low = range.low().map(end -> SqlLiterals.of(end, type));
        Optional<String> high = range.high().map(end -> SqlLiterals.of(end, type));
        if (low.isEmpty() && high.isEmpty()) {
            return new Sql("%s IS NOT NULL OR %s".formatted(value, NULL), false);
        }
        if (range.lowInclusive() && range.highInclusive() && low.isPresent() && high.isPresent()) {
            return Sql.comparison("%s BETWEEN %s AND %s".formatted(value, low.get(), high.get()));
        }
        List<Sql> ends = new ArrayList<>();
        low.ifPresent(end -> ends.add(Sql.comparison(value + (range.lowInclusive() ? " >= " : " > ") + end)));
        high.ifPresent(end -> ends.add(Sql.comparison(value + (range.highInclusive() ? " <= " : " < ") + end)));
        return Sql.joined(ends, " AND ", "TRUE");
    }
}
