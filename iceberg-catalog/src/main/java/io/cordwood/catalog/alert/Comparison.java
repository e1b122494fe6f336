package io.cordwood.catalog.alert;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How a number of rows is compared with the threshold of a rule. */
public enum Comparison {
    ABOVE(">") {
        @Override
        public boolean holds(long value, long threshold) {
            return value > threshold;
        }
    },
    AT_LEAST(">=") {
        @Override
        public boolean holds(long value, long threshold) {
            return value >= threshold;
        }
    },
    BELOW("<") {
        @Override
        public boolean holds(long value, long threshold) {
            return value < threshold;
        }
    },
    AT_MOST("<=") {
        @Override
        public boolean holds(long value, long threshold) {
            return value <= threshold;
        }
    };

    private final String symbol;

    Comparison(String symbol) {
        this.symbol = symbol;
    }

    /** Whether the value has this relation to the threshold. */
    public abstract boolean holds(long value, long threshold);

    /** As users write it. */
    public String symbol() {
        return symbol;
    }

    /** The comparison of a symbol. @throws IllegalArgumentException with a message for the user if there is none */
    public static Comparison of(String symbol) {
        return Arrays.stream(values())
                .filter(comparison -> comparison.symbol.equals(symbol))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'%s' is no comparison; use one of %s"
                        .formatted(
                                symbol,
                                Arrays.stream(values()).map(Comparison::symbol).collect(Collectors.joining(", ")))));
    }
}
