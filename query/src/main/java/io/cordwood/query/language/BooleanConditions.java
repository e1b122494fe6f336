package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;

/** Conditions on boolean columns. Stateless. */
final class BooleanConditions {
    private BooleanConditions() {}

    static Predicate of(ColumnTerm term) {
        if (term.value() instanceof SearchValue.Exact(String text)) {
            for (boolean flag : new boolean[] {true, false}) {
                if (text.equalsIgnoreCase(Boolean.toString(flag))) {
                    return term.equal(flag);
                }
            }
        }
        throw term.noSuchValue(
                "write %1$s:true or %1$s:false".formatted(term.column().name()));
    }
}
