package io.cordwood.catalog.table;

import java.util.Map;
import java.util.OptionalInt;

/**
 * When the LogBlocks of a table get the dense layout, which takes fewer bytes and is slower to search. Stateless,
 * thread-safe.
 *
 * <p>The table property {@value #PROPERTY} is a whole number of days. The LogBlocks of a day are due so long after its
 * end; 0: never. A table without the property follows the compaction job's option.
 */
public final class DenseAfter {
    /** Name of the table property. */
    public static final String PROPERTY = "cordwood.dense-after-days";
    /** Greatest number of days. */
    public static final int MOST_DAYS = 100_000;

    private DenseAfter() {}

    /**
     * How many days after its end a day is due; empty: never.
     *
     * @param properties the table's properties
     * @param otherwise what counts for a table without the property
     * @throws IllegalArgumentException if the property is malformed
     */
    public static OptionalInt days(Map<String, String> properties, OptionalInt otherwise) {
        String text = properties.get(PROPERTY);
        if (text == null) {
            return otherwise;
        }
        int days;
        try {
            days = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(message(text), e);
        }
        if (days < 0 || days > MOST_DAYS) {
            throw new IllegalArgumentException(message(text));
        }
        return ofNumber(days);
    }

    /** The number of days, if it is one; 0 stands for never. */
    public static OptionalInt ofNumber(int days) {
        return days == 0 ? OptionalInt.empty() : OptionalInt.of(days);
    }

    private static String message(String text) {
        return "Property %s is '%s'; it must be a number of days from 1 to %d, or 0 for never"
                .formatted(PROPERTY, text, MOST_DAYS);
    }
}
