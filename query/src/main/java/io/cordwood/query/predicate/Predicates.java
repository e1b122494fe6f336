package io.cordwood.query.predicate;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.StringVector;
import java.util.ArrayList;
import java.util.List;

/** Builds predicates from other predicates. Stateless. */
public final class Predicates {
    private Predicates() {}

    /** Whether a condition on one varchar column is true for a value. */
    public static boolean evaluate(Predicate leaf, String value) {
        Column keyword = Column.keyword("constant", 1);
        return !PredicateEvaluator.evaluate(on(keyword, leaf), column -> StringVector.of(value), 1)
                .isEmpty();
    }

    /** The same condition on another column. */
    public static Predicate on(Column column, Predicate leaf) {
        return switch (leaf) {
            case Predicate.IsNull(Column _) -> new Predicate.IsNull(column);
            case Predicate.Match(Column _, var query) -> new Predicate.Match(searchable(column), query);
            case Predicate.Like(Column _, var pattern, var escape) -> new Predicate.Like(column, pattern, escape);
            case Predicate.In(Column _, var ranges) -> new Predicate.In(column, ranges);
            case Predicate.And _, Predicate.Or _, Predicate.Not _ ->
                throw new IllegalArgumentException("Not a condition on one column: " + leaf);
        };
    }

    /** A varchar column without an index matches like a keyword column. */
    private static Column searchable(Column column) {
        return column.index() == IndexKind.NONE ? Column.keyword(column.name(), column.fieldId()) : column;
    }

    /** The conjunction of terms, simplified where a term is constant. */
    public static Predicate and(List<Predicate> terms) {
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

    /** The disjunction of terms, simplified where a term is constant. */
    public static Predicate or(List<Predicate> terms) {
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
