package io.cordwood.query.language;

import java.util.List;

/** The condition that a text of the search bar states, before the columns of a table are known. Immutable. */
public sealed interface SearchExpression {
    /** The condition of an empty text. */
    SearchExpression EVERY_ROW = new And(List.of());

    record And(List<SearchExpression> terms) implements SearchExpression {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(List<SearchExpression> terms) implements SearchExpression {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    /** True wherever the term is not. */
    record Not(SearchExpression term) implements SearchExpression {}

    /**
     * A condition on the text columns.
     *
     * @param position index of its first character in the text, from 0
     */
    record InText(SearchValue.Text text, int position) implements SearchExpression {}

    /**
     * A condition on one column.
     *
     * @param position index of the value's first character in the text, from 0
     */
    record InColumn(ColumnReference column, SearchValue value, int position) implements SearchExpression {}

    /**
     * The name of a column.
     *
     * @param text the name as written, without quotes and escapes
     * @param position index of its first character in the text, from 0
     */
    record ColumnReference(String text, int position) {}
}
