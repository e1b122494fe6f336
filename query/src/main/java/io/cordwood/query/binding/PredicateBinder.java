package io.cordwood.query.binding;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.predicate.BigintRanges;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.predicate.SerializedPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites predicates on SQL columns as predicates on the stored columns of one table. Immutable.
 *
 * <p>The binder first moves negations to the leaves. After that a null term selects no row, just like a false one. A
 * condition on a double column over a bigint column and its twin becomes a disjunction of conditions on the two.
 */
public final class PredicateBinder {
    /** Thrown for a term that has no equivalent on stored columns. */
    private static final class NotBindable extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotBindable() {
            super(null, null, false, false);
        }
    }

    private final TableBinding binding;

    public PredicateBinder(TableBinding binding) {
        this.binding = binding;
    }

    /** Binds the terms of a conjunction, and the condition that makes a row visible. */
    public BoundPredicate bind(List<Predicate> terms) {
        List<Predicate> pushed = new ArrayList<>();
        List<Predicate> residual = new ArrayList<>();
        binding.visible()
                .map(SerializedPredicate::predicate)
                .ifPresent(condition -> pushed.add(bind(condition, false)));
        for (Predicate term : terms) {
            try {
                pushed.add(bind(term, false));
            } catch (NotBindable e) {
                residual.add(term);
            }
        }
        return new BoundPredicate(Predicates.and(pushed), residual);
    }

    private Predicate bind(Predicate predicate, boolean negated) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> {
                List<Predicate> bound = bindAll(terms, negated);
                yield negated ? Predicates.or(bound) : Predicates.and(bound);
            }
            case Predicate.Or(List<Predicate> terms) -> {
                List<Predicate> bound = bindAll(terms, negated);
                yield negated ? Predicates.and(bound) : Predicates.or(bound);
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
            return Predicates.evaluate(leaf, constant.get()) != negated ? Predicate.TRUE : Predicate.FALSE;
        }
        if (binding.isAttribute(column.name())) {
            throw new NotBindable();
        }
        List<Column> sources = binding.sources(column.name());
        if (sources.isEmpty()) {
            return leaf instanceof Predicate.IsNull && !negated ? Predicate.TRUE : Predicate.FALSE;
        }
        if (sources.size() == 1 && sources.getFirst().type() == column.type()) {
            return negate(Predicates.on(sources.getFirst(), leaf), negated);
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
            return negated ? Predicates.or(terms) : Predicates.and(terms);
        }
        if (!(leaf instanceof Predicate.In(Column _, List<ValueRange> ranges))) {
            throw new NotBindable();
        }
        // A row has its value in one of the columns; the term of the other is null
        return Predicates.or(sources.stream()
                .map(source -> negate(
                        source.type() == ColumnType.BIGINT
                                ? new Predicate.In(source, BigintRanges.ofDoubles(ranges))
                                : new Predicate.In(source, ranges),
                        negated))
                .toList());
    }

    private static Predicate negate(Predicate predicate, boolean negated) {
        return negated ? new Predicate.Not(predicate) : predicate;
    }
}
