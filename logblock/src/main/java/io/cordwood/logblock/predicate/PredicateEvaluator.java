package io.cordwood.logblock.predicate;

import io.cordwood.logblock.match.ValueMatcher;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.Vector;
import java.util.BitSet;
import java.util.function.Function;

/**
 * Evaluates predicates on values. Every answer of an index must equal its result; the hot tier uses it too. Stateless.
 */
public final class PredicateEvaluator {
    private PredicateEvaluator() {}

    /**
     * The positions among {@code [0, rows)} for which the predicate is true.
     *
     * @param values returns the vector of a column, with {@code rows} values
     */
    public static BitSet evaluate(Predicate predicate, Function<Column, Vector> values, int rows) {
        return evaluate(predicate, false, values, rows);
    }

    /** The positions for which the predicate is true, or false if {@code negated}; null is neither. */
    private static BitSet evaluate(Predicate predicate, boolean negated, Function<Column, Vector> values, int rows) {
        return switch (predicate) {
            case Predicate.And and -> combine(and.terms(), !negated, negated, values, rows);
            case Predicate.Or or -> combine(or.terms(), negated, negated, values, rows);
            case Predicate.Not not -> evaluate(not.term(), !negated, values, rows);
            case Predicate.IsNull isNull -> {
                Vector vector = values.apply(isNull.column());
                BitSet found = new BitSet(rows);
                for (int i = 0; i < rows; i++) {
                    found.set(i, vector.isNull(i) != negated);
                }
                yield found;
            }
            case Predicate.Match match -> {
                ValueMatcher matcher = match.column().index() == IndexKind.KEYWORD
                        ? match.query().keywordMatcher()
                        : match.query().textMatcher();
                yield test(match.column(), new ValueTest.Text(matcher), negated, values, rows);
            }
            case Predicate.Like like -> test(like.column(), ValueTest.of(like), negated, values, rows);
            case Predicate.In in -> test(in.column(), ValueTest.of(in), negated, values, rows);
        };
    }

    private static BitSet combine(
            Iterable<Predicate> terms, boolean all, boolean negated, Function<Column, Vector> values, int rows) {
        BitSet result = new BitSet(rows);
        result.set(0, rows, all);
        for (Predicate term : terms) {
            BitSet found = evaluate(term, negated, values, rows);
            if (all) {
                result.and(found);
            } else {
                result.or(found);
            }
        }
        return result;
    }

    private static BitSet test(
            Column column, ValueTest test, boolean negated, Function<Column, Vector> values, int rows) {
        Vector vector = values.apply(column);
        BitSet found = new BitSet(rows);
        ValueTest.Bound bound = test.on(vector);
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i) && bound.test(i) != negated) {
                found.set(i);
            }
        }
        return found;
    }
}
