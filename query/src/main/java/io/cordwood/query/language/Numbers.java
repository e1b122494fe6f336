package io.cordwood.query.language;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Parses numbers. Stateless. */
final class Numbers {
    /** The forms of conditions on numbers, as advice; the column's name is its argument. */
    static final String FORMS = "write a number, as in %1$s:500, %1$s:>=500 or %1$s:[500 TO 599]";

    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,9})?");

    private Numbers() {}

    /** @throws SearchSyntaxException if the text is no number */
    static BigDecimal parse(String text, ColumnTerm term) {
        if (!NUMBER.matcher(text).matches()) {
            throw term.noSuchValue(
                    WrittenValues.shortened(text), FORMS.formatted(term.column().name()));
        }
        return new BigDecimal(text);
    }
}
