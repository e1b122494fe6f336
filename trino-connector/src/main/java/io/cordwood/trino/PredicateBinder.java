package io.cordwood.trino;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.StringVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns predicates on SQL columns into predicates on the stored columns of one table. Immutable.
 *
 * <p>Negations are moved to the leaves first. Then a term that is null selects no row, just like one that is false, and
 * a condition on a double column over a bigint column and its twin is a disjunction of conditions on the two.
 */
final class PredicateBinder {
    /** Says that a term cannot be put in terms of stored columns. */
    private static final class NotBindable extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotBindable() {
            super(null, null, false, false);
        }
    }

    private final TableBinding binding;

    PredicateBinder(TableBinding binding) {
        this.binding = binding;
    }

    /** Binds the terms of a conjunction, and the condition on rows to be seen. */
    BoundPredicate bind(List<Predicate> terms) {
        List<Predicate> pushed = new ArrayList<>();
        List<Predicate> residual = new ArrayList<>();
        binding.visible().map(PredicateJson::decode).ifPresent(condition -> pushed.add(bind(condition, false)));
        for (Predicate term : terms) {
            try {
                pushed.add(bind(term, false));
            } catch (NotBindable e) {
                residual.add(term);
            }
        }
        return new BoundPredicate(and(pushed), residual);
    }

    private Predicate bind(Predicate predicate, boolean negated) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> {
                List<Predicate> bound = bindAll(terms, negated);
                yield negated ? or(bound) : and(bound);
            }
            case Predicate.Or(List<Predicate> terms) -> {
                List<Predicate> bound = bindAll(terms, negated);
                yield negated ? and(bound) : or(bound);
            }
            case Predicate.Not(Predicate term) -> bind(term, !negated);
            case Predicate.IsNull(Column column) -> bindLeaf(predicate, column, negated);
            case Predicate.Match(Column column, var query) -> bindLeaf(predicate, column, negated);
            case Predicate.Like(Column column, var pattern, var escape) -> bindLeaf(predicate, column, negated);
            case Predicate.In(Column column, var ranges) -> bindLeaf(predicate, column, negated);
        };
    }

    private List<Predicate> bindAll(List<Predicate> terms, boolean negated) {
        return terms.stream().map(term -> bind(term, negated)).toList();
    }

    private Predicate bindLeaf(Predicate leaf, Column column, boolean negated) {
        Optional<String> constant = binding.constant(column.name());
        if (constant.isPresent()) {
            return evaluate(leaf, constant.get()) != negated ? Predicate.TRUE : Predicate.FALSE;
        }
        List<Column> sources = binding.sources(column.name());
        if (sources.isEmpty()) {
            return leaf instanceof Predicate.IsNull && !negated ? Predicate.TRUE : Predicate.FALSE;
        }
        if (sources.size() == 1 && sources.getFirst().type() == column.type()) {
            return negate(on(sources.getFirst(), leaf), negated);
        }
        if (column.type() == ColumnType.DOUBLE && sources.getFirst().type() == ColumnType.BIGINT) {
            return bindToNumbers(leaf, sources, negated);
        }
        throw new NotBindable();
    }

    private Predicate bindToNumbers(Predicate leaf, List<Column> sources, boolean negated) {
        if (leaf instanceof Predicate.IsNull) {
            List<Predicate> terms = sources.stream()
                    .map(source -> negate(new Predicate.IsNull(source), negated))
                    .toList();
            return negated ? or(terms) : and(terms);
        }
        if (!(leaf instanceof Predicate.In(Column _, List<ValueRange> ranges))) {
            throw new NotBindable();
        }
        // A row has its value in one of the columns; the term of the other is null
        return or(sources.stream()
                .map(source -> negate(
                        source.type() == ColumnType.BIGINT
                                ? new Predicate.In(source, BigintRanges.ofDoubles(ranges))
                                : new Predicate.In(source, ranges),
                        negated))
                .toList());
    }

    private static boolean evaluate(Predicate leaf, String value) {
        Column keyword = Column.keyword("constant", 1);
        return !PredicateEvaluator.evaluate(on(keyword, leaf), column -> StringVector.of(value), 1)
                .isEmpty();
    }

    /** The same condition on another column. */
    static Predicate on(Column column, Predicate leaf) {
        return switch (leaf) {
            case Predicate.IsNull(Column _) -> new Predicate.IsNull(column);
            case Predicate.Match(Column _, var query) -> new Predicate.Match(searchable(column), query);
            case Predicate.Like(Column _, var pattern, var escape) -> new Predicate.Like(column, pattern, escape);
            case Predicate.In(Column _, var ranges) -> new Predicate.In(column, ranges);
            case Predicate.And _, Predicate.Or _, Predicate.Not _ ->
                throw new IllegalArgumentException("Not a condition on one column: " + leaf);
        };
    }

    /** A varchar column without an index is matched as a keyword column is. */
    private static Column searchable(Column column) {
        return column.index() == IndexKind.NONE ? Column.keyword(column.name(), column.fieldId()) : column;
    }

    private static Predicate negate(Predicate predicate, boolean negated) {
        return negated ? new Predicate.Not(predicate) : predicate;
    }

    static Predicate and(List<Predicate> terms) {
        List<Predicate> kept = new ArrayList<>();
        for (Predicate term : terms) {
            if (term.equals(Predicate.FALSE)) {
                return Predicate.FALSE;
            }
            if (!term.equals(Predicate.TRUE)) {
                kept.add(term);
            }
        }
        return kept.size() == 1 ? kept.getFirst() : new Predicate.And(kept);
    }

    static Predicate or(List<Predicate> terms) {
        List<Predicate> kept = new ArrayList<>();
        for (Predicate term : terms) {
            if (term.equals(Predicate.TRUE)) {
                return Predicate.TRUE;
            }
            if (!term.equals(Predicate.FALSE)) {
                kept.add(term);
            }
        }
        return kept.size() == 1 ? kept.getFirst() : new Predicate.Or(kept);
    }
}
