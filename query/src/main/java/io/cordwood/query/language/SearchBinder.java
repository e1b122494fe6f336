package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.language.SearchExpression.ColumnReference;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.table.QueryColumn;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Binds searches to the columns of a table. Immutable.
 *
 * <p>A negated term is true wherever the term is not, so also where the column is null. Predicates have SQL's
 * three-valued logic; therefore the binder moves negations to the leaves, and adds there that the column may be null.
 */
public final class SearchBinder {
    private final Map<String, QueryColumn> columns;
    private final List<Column> textColumns;
    private final Instant now;

    /**
     * @param columns the columns by name; searches do not see the hidden ones
     * @param now the time that {@code now} stands for
     */
    public SearchBinder(Map<String, QueryColumn> columns, Instant now) {
        this.columns = columns.values().stream()
                .filter(column -> !column.isHidden())
                .collect(Collectors.toUnmodifiableMap(QueryColumn::name, Function.identity()));
        this.textColumns = columns.values().stream()
                .filter(column -> !column.isHidden() && isText(column))
                .map(column -> PredicateJson.unbound(column.name(), column.type()))
                .toList();
        this.now = now;
    }

    private static boolean isText(QueryColumn column) {
        return column.type() == ColumnType.VARCHAR && column.index() == IndexKind.TEXT;
    }

    /**
     * Binds a search.
     *
     * @throws SearchSyntaxException if it names an unknown column, or has a value that a column cannot have
     */
    public BoundSearch bind(SearchExpression expression) {
        return TimeBounds.split(bind(expression, false));
    }

    private Predicate bind(SearchExpression expression, boolean negated) {
        return switch (expression) {
            case SearchExpression.And(List<SearchExpression> terms) -> bindAll(terms, !negated, negated);
            case SearchExpression.Or(List<SearchExpression> terms) -> bindAll(terms, negated, negated);
            case SearchExpression.Not(SearchExpression term) -> bind(term, !negated);
            case SearchExpression.InText(SearchValue.Text text, int position) -> bindText(text, position, negated);
            case SearchExpression.InColumn(ColumnReference column, SearchValue value, int position) ->
                bindColumn(column, value, position, negated);
        };
    }

    private Predicate bindAll(List<SearchExpression> terms, boolean all, boolean negated) {
        return combined(terms.stream().map(term -> bind(term, negated)).toList(), all);
    }

    private static Predicate combined(List<Predicate> terms, boolean all) {
        return all ? Predicates.and(terms) : Predicates.or(terms);
    }

    private Predicate bindText(SearchValue.Text text, int position, boolean negated) {
        if (text instanceof SearchValue.Any) {
            return negated ? Predicate.FALSE : Predicate.TRUE;
        }
        Function<Column, Predicate> condition = TextConditions.of(text, position);
        return combined(
                textColumns.stream()
                        .map(column -> leaf(column, condition.apply(column), negated))
                        .toList(),
                negated);
    }

    private Predicate bindColumn(ColumnReference reference, SearchValue value, int position, boolean negated) {
        QueryColumn found = find(reference).orElseThrow(() -> UnknownColumns.error(reference, value, columns.keySet()));
        ColumnTerm term = new ColumnTerm(PredicateJson.unbound(found.name(), found.type()), value, position);
        return leaf(term.column(), condition(term, found), negated);
    }

    private Optional<QueryColumn> find(ColumnReference reference) {
        String name = reference.text().toLowerCase(Locale.ROOT);
        if (QueryColumn.attributeKey(name).isEmpty()) {
            return Optional.ofNullable(columns.get(name));
        }
        String key = reference.text().substring(QueryColumn.attributeName("").length());
        return columns.containsKey(LogBlockSchema.ATTRIBUTES)
                ? Optional.of(QueryColumn.stored(QueryColumn.attributeName(key), ColumnType.VARCHAR, IndexKind.KEYWORD))
                : Optional.empty();
    }

    private Predicate condition(ColumnTerm term, QueryColumn column) {
        if (term.value() instanceof SearchValue.Any && column.isComparable()) {
            return new Predicate.Not(new Predicate.IsNull(term.column()));
        }
        return switch (column.type()) {
            case VARCHAR -> isText(column) ? TextConditions.of(term) : KeywordConditions.of(term);
            case BIGINT -> BigintConditions.of(term);
            case DOUBLE -> DoubleConditions.of(term);
            case BOOLEAN -> BooleanConditions.of(term);
            case TIMESTAMP -> TimeConditions.of(term, now);
            case MAP ->
                throw new SearchSyntaxException(
                        term.position(),
                        "'%s' is a map".formatted(column.name()),
                        "name an entry, as in %s:value".formatted(QueryColumn.attributeName("name")));
        };
    }

    /** The condition on a column, or its negation. */
    private static Predicate leaf(Column column, Predicate condition, boolean negated) {
        if (!negated) {
            return condition;
        }
        if (condition.equals(Predicate.FALSE)) {
            return Predicate.TRUE;
        }
        Predicate isNull = new Predicate.IsNull(column);
        return condition.equals(new Predicate.Not(isNull))
                ? isNull
                : new Predicate.Or(List.of(isNull, new Predicate.Not(condition)));
    }
}
