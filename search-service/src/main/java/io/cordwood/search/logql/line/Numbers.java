package io.cordwood.search.logql.line;

import java.util.OptionalDouble;
import java.util.Set;

/** Reads numbers. Stateless. */
final class Numbers {
    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private Numbers() {}

    /** A decimal number, with an exponent if there is one, or what a column of doubles has in place of one. */
    static OptionalDouble parse(String text) {
        // Java also takes space around a number, and a letter for its type behind it
        boolean isPlain = NOT_FINITE.contains(text)
                || !text.isEmpty() && text.chars().allMatch(c -> (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0);
        if (!isPlain) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
