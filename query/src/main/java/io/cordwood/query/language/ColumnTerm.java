package io.cordwood.query.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A value for a column, to be read by the column's type. Immutable.
 *
 * @param column the SQL column, without an id
 * @param position index of the value's first character in the text
 */
record ColumnTerm(Column column, SearchValue value, int position) {
    /** One end of a range. */
    record Bound(Object value, boolean inclusive) {}

    Predicate equal(Object value) {
        return in(ValueRange.equal(value));
    }

    /** The condition that the value lies between two bounds; {@link Predicate#FALSE} if nothing does. */
    Predicate between(Optional<Bound> low, Optional<Bound> high) {
        if (low.isPresent() && high.isPresent()) {
            int order = compare(low.get().value(), high.get().value());
            boolean isPoint = low.get().inclusive() && high.get().inclusive();
            if (order > 0 || (order == 0 && !isPoint)) {
                return Predicate.FALSE;
            }
        }
        if (low.isEmpty() && high.isEmpty()) {
            return new Predicate.Not(new Predicate.IsNull(column));
        }
        return in(new ValueRange(
                low.map(Bound::value),
                low.isPresent() && low.get().inclusive(),
                high.map(Bound::value),
                high.isPresent() && high.get().inclusive()));
    }

    private Predicate in(ValueRange range) {
        return new Predicate.In(column, List.of(range));
    }

    private static int compare(Object left, Object right) {
        return switch (left) {
            case Long number -> Long.compare(number, (Long) right);
            case Double number -> Double.compare(number, (Double) right);
            case String text -> Arrays.compareUnsigned(text.getBytes(UTF_8), ((String) right).getBytes(UTF_8));
            default -> throw new IllegalArgumentException("Not a bound: " + left);
        };
    }

    /** The error that the column's type has no such value. */
    SearchSyntaxException noSuchValue(String advice) {
        return noSuchValue(WrittenValues.of(value), advice);
    }

    SearchSyntaxException noSuchValue(String written, String advice) {
        return new SearchSyntaxException(
                position,
                "The %s column '%s' has no value '%s'"
                        .formatted(column.type().name().toLowerCase(Locale.ROOT), column.name(), written),
                advice);
    }
}
