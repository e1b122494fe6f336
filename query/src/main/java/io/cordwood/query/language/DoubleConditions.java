package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.language.ColumnTerm.Bound;

/** Conditions on double columns. A value stands for the nearest double, as in SQL. Stateless. */
final class DoubleConditions {
    private DoubleConditions() {}

    static Predicate of(ColumnTerm term) {
        return switch (term.value()) {
            case SearchValue.Exact(String text) -> term.equal(number(text, term));
            case SearchValue.Range range ->
                term.between(
                        range.low().map(low -> new Bound(number(low, term), range.lowInclusive())),
                        range.high().map(high -> new Bound(number(high, term), range.highInclusive())));
            case SearchValue.Text _ ->
                throw term.noSuchValue(Numbers.FORMS.formatted(term.column().name()));
        };
    }

    private static double number(String text, ColumnTerm term) {
        // Adding 0.0 turns -0.0 into 0.0
        return Numbers.parse(text, term).doubleValue() + 0.0;
    }
}
