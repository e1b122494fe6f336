package io.cordwood.query.language;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * The values that a term of the search bar accepts, as written: a column's type decides how they are read. Immutable.
 */
public sealed interface SearchValue {
    /** A value that can stand without a column too. */
    sealed interface Text extends SearchValue {}

    /** One value: a word or a quoted text, without quotes and escapes. */
    record Exact(String text) implements Text {}

    /** {@code pref*}: values that begin with a text, which is not empty. */
    record Prefix(String text) implements Text {}

    /** A word with other wildcards. */
    record Pattern(List<Part> parts) implements Text {
        public Pattern {
            parts = List.copyOf(parts);
        }
    }

    /** {@code *} alone: every value. */
    record Any() implements Text {}

    /**
     * A range or a comparison. An absent end is unbounded and not inclusive.
     *
     * @param low lower end as written
     * @param high upper end as written
     */
    record Range(Optional<String> low, boolean lowInclusive, Optional<String> high, boolean highInclusive)
            implements SearchValue {
        public Range {
            requireNonNull(low, "low is null");
            requireNonNull(high, "high is null");
            lowInclusive &= low.isPresent();
            highInclusive &= high.isPresent();
        }
    }

    /** A part of a pattern. */
    sealed interface Part {
        record Literal(String text) implements Part {}

        /** {@code ?}: one character. */
        record AnyOne() implements Part {}

        /** {@code *}: any number of characters. */
        record AnyRun() implements Part {}
    }
}
