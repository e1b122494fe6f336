package io.cordwood.search.logql;

import java.util.Locale;
import java.util.Optional;

/** A function of the lines within a range. */
public enum RangeFunction {
    COUNT_OVER_TIME(Input.LINES),
    RATE(Input.EITHER),
    BYTES_OVER_TIME(Input.LINES),
    BYTES_RATE(Input.LINES),
    ABSENT_OVER_TIME(Input.EITHER),
    SUM_OVER_TIME(Input.NUMBERS),
    AVG_OVER_TIME(Input.NUMBERS),
    MIN_OVER_TIME(Input.NUMBERS),
    MAX_OVER_TIME(Input.NUMBERS),
    STDDEV_OVER_TIME(Input.NUMBERS),
    STDVAR_OVER_TIME(Input.NUMBERS),
    QUANTILE_OVER_TIME(Input.NUMBERS),
    FIRST_OVER_TIME(Input.NUMBERS),
    LAST_OVER_TIME(Input.NUMBERS);

    /** What a function is computed of. */
    private enum Input {
        LINES,
        NUMBERS,
        EITHER
    }

    private final Input input;

    RangeFunction(Input input) {
        this.input = input;
    }

    static Optional<RangeFunction> of(Token token) {
        for (RangeFunction function : values()) {
            if (token.isWord(function.text())) {
                return Optional.of(function);
            }
        }
        return Optional.empty();
    }

    /** Its name in a query. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean needsUnwrap() {
        return input == Input.NUMBERS;
    }

    boolean takesUnwrap() {
        return input != Input.LINES;
    }

    /** Whether it may be computed of the series that a grouping makes. */
    boolean takesGrouping() {
        return switch (this) {
            case AVG_OVER_TIME,
                    MIN_OVER_TIME,
                    MAX_OVER_TIME,
                    STDDEV_OVER_TIME,
                    STDVAR_OVER_TIME,
                    QUANTILE_OVER_TIME,
                    FIRST_OVER_TIME,
                    LAST_OVER_TIME -> true;
            case COUNT_OVER_TIME, RATE, BYTES_OVER_TIME, BYTES_RATE, ABSENT_OVER_TIME, SUM_OVER_TIME -> false;
        };
    }
}
