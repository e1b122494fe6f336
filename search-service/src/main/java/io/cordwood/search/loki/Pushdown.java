package io.cordwood.search.loki;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.logql.LabelCondition;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.LineMatch;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a query that the scan of a table can evaluate. They select at least the rows of the query.
 * Immutable.
 *
 * @param conjuncts the conditions
 * @param isExact whether they select exactly the rows of the query, and no stage changes a row
 */
record Pushdown(List<Predicate> conjuncts, boolean isExact) {
    Pushdown {
        conjuncts = List.copyOf(conjuncts);
    }

    static Pushdown of(LogQuery query, TableLabels labels) {
        return of(query, new Builder(labels, labels.attributes().isPresent()));
    }

    /**
     * The conditions on columns that there are now; attributes may become columns while rows arrive, and another column
     * the line, unless it is the best one already.
     */
    static Pushdown ofArriving(LogQuery query, TableLabels labels) {
        Builder builder = new Builder(labels, false);
        builder.hasLine = labels.line()
                .filter(line -> line.name().equals(TableLabels.LINE_NAMES.getFirst()))
                .isPresent();
        return of(query, builder);
    }

    private static Pushdown of(LogQuery query, Builder builder) {
        query.selector().forEach(builder::add);
        query.stages().forEach(builder::add);
        return new Pushdown(builder.conjuncts, builder.isExact);
    }

    ScanFilter filter(TimeRange time) {
        return new ScanFilter(time, conjuncts, true);
    }

    /** Goes through the parts of a query, and notes what they change. */
    private static final class Builder {
        private final TableLabels labels;
        private final boolean usesAttributes;
        private final List<Predicate> conjuncts = new ArrayList<>();
        private boolean isExact = true;

        /** Whether a parser may have added a label where a column has no value. */
        private boolean hasParsed;

        /** Whether a stage may have failed for a line: then it is kept by comparisons of quantities. */
        private boolean mayHaveFailed;

        private boolean hasLine;
        private boolean hasLabels = true;

        Builder(TableLabels labels, boolean usesAttributes) {
            this.labels = labels;
            this.usesAttributes = usesAttributes;
            this.hasLine = labels.line().isPresent();
        }

        void add(LabelMatcher matcher) {
            add(of(matcher));
        }

        private void add(Optional<Predicate> condition) {
            condition.ifPresent(conjuncts::add);
            isExact &= condition.isPresent();
        }

        void add(Stage stage) {
            switch (stage) {
                case Stage.LineFilter filter -> add(hasLine ? of(filter) : Optional.empty());
                case Stage.LabelFilter(LabelCondition condition) -> {
                    Optional<Predicate> exact = hasLabels ? of(condition) : Optional.empty();
                    add(exact);
                    if (exact.isEmpty()) {
                        conjuncts.addAll(hasLabels ? partsOf(condition) : List.of());
                        mayHaveFailed = true;
                    }
                }
                case Stage.Json _, Stage.Logfmt _, Stage.Regexp _, Stage.Capture _ -> {
                    hasParsed = true;
                    mayHaveFailed = true;
                    isExact = false;
                }
                case Stage.Unpack _ -> {
                    hasParsed = true;
                    mayHaveFailed = true;
                    hasLine = false;
                    isExact = false;
                }
                case Stage.LineFormat _, Stage.Decolorize _ -> {
                    mayHaveFailed = true;
                    hasLine = false;
                    isExact = false;
                }
                case Stage.LabelFormat _, Stage.Drop _, Stage.Keep _ -> {
                    hasLabels = false;
                    isExact = false;
                }
            }
        }

        private Optional<Predicate> of(LabelMatcher matcher) {
            if (matcher.label().equals(StreamChoice.LABEL)) {
                return Optional.of(matcher.matches(labels.name()) ? Predicate.TRUE : Predicate.FALSE);
            }
            return column(matcher.label())
                    .flatMap(column -> ValueConditions.of(matcher, column)
                            .map(condition -> hasParsed ? orNoValue(column, condition) : condition));
        }

        /** Selects also rows without a value, for which a parser may have set the label. */
        private static Predicate orNoValue(Column column, Predicate condition) {
            List<Predicate> either = new ArrayList<>(List.of(condition, new Predicate.IsNull(column)));
            if (column.type() == ColumnType.VARCHAR) {
                either.add(new Predicate.In(column, List.of(Predicate.ValueRange.equal(""))));
            }
            return Predicates.or(either);
        }

        /** The column of a label; an attribute only where its name is certainly that of the label. */
        private Optional<Column> column(String label) {
            Optional<Column> stored =
                    labels.column(label).map(column -> PredicateJson.unbound(column.name(), column.type()));
            boolean isAttribute = stored.isEmpty()
                    && !hasParsed
                    && usesAttributes
                    && labels.line().isPresent()
                    && label.indexOf('_') < 0;
            return isAttribute
                    ? Optional.of(PredicateJson.unbound(QueryColumn.attributeName(label), ColumnType.VARCHAR))
                    : stored;
        }

        private Optional<Predicate> of(Stage.LineFilter filter) {
            QueryColumn line = labels.line().orElseThrow();
            Column column = PredicateJson.unbound(line.name(), line.type());
            List<Predicate> terms = new ArrayList<>();
            for (LineMatch match : filter.alternatives()) {
                Optional<Predicate> term = of(match, column);
                if (term.isEmpty()) {
                    return Optional.empty();
                }
                terms.add(term.get());
            }
            boolean holdsForNull = filter.alternatives().stream().anyMatch(match -> match.isIn("")) != filter.negated();
            return Optional.of(ValueConditions.withNull(
                    column, ValueConditions.negated(Predicates.or(terms), filter.negated()), holdsForNull));
        }

        private static Optional<Predicate> of(LineMatch match, Column column) {
            return switch (match) {
                case LineMatch.Text(String text) -> Optional.of(contains(column, text));
                case LineMatch.Regex regex ->
                    RegexLiterals.of(regex.pattern().pattern())
                            .map(alternatives -> Predicates.or(alternatives.stream()
                                    .map(alternative -> contains(column, alternative.literal()))
                                    .toList()));
                case LineMatch.Shape _ -> Optional.empty();
            };
        }

        private static Predicate contains(Column column, String text) {
            return text.isEmpty() ? Predicate.TRUE : Like.of(column, text, true, true);
        }

        private Optional<Predicate> of(LabelCondition condition) {
            return switch (condition) {
                case LabelCondition.And(LabelCondition left, LabelCondition right) ->
                    both(left, right).map(Predicates::and);
                case LabelCondition.Or(LabelCondition left, LabelCondition right) ->
                    both(left, right).map(Predicates::or);
                case LabelCondition.Text(LabelMatcher matcher) -> of(matcher);
                case LabelCondition.Quantity quantity -> of(quantity);
            };
        }

        private Optional<List<Predicate>> both(LabelCondition left, LabelCondition right) {
            Optional<Predicate> first = of(left);
            Optional<Predicate> second = of(right);
            return first.isPresent() && second.isPresent()
                    ? Optional.of(List.of(first.get(), second.get()))
                    : Optional.empty();
        }

        private Optional<Predicate> of(LabelCondition.Quantity quantity) {
            return mayHaveFailed || quantity.unit() != LabelCondition.Unit.NUMBER
                    ? Optional.empty()
                    : labels.column(quantity.label())
                            .map(column -> PredicateJson.unbound(column.name(), column.type()))
                            .flatMap(column ->
                                    ValueConditions.compared(column, quantity.comparison(), quantity.value()));
        }

        /** The conditions on texts that must hold for a condition that cannot be evaluated as a whole. */
        private List<Predicate> partsOf(LabelCondition condition) {
            if (condition instanceof LabelCondition.And(LabelCondition left, LabelCondition right)) {
                List<Predicate> parts = new ArrayList<>(partsOf(left));
                parts.addAll(partsOf(right));
                return parts;
            }
            return comparesQuantity(condition)
                    ? List.of()
                    : of(condition).stream().toList();
        }

        private static boolean comparesQuantity(LabelCondition condition) {
            return switch (condition) {
                case LabelCondition.And(LabelCondition left, LabelCondition right) ->
                    comparesQuantity(left) || comparesQuantity(right);
                case LabelCondition.Or(LabelCondition left, LabelCondition right) ->
                    comparesQuantity(left) || comparesQuantity(right);
                case LabelCondition.Text _ -> false;
                case LabelCondition.Quantity _ -> true;
            };
        }
    }
}
