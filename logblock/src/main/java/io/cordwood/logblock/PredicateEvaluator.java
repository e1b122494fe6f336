package io.cordwood.logblock;

import java.util.BitSet;
import java.util.function.Function;

/** Evaluates predicates on values: the reference that every index answer equals. Stateless. */
public final class PredicateEvaluator {
    private PredicateEvaluator() {}

    /**
     * The positions among {@code [0, rows)} for which the predicate is true.
     *
     * @param values gives the vector of a column, of {@code rows} values
     */
    public static BitSet evaluate(Predicate predicate, Function<Column, Vector> values, int rows) {
        return new BitSet(rows);
    }
}
