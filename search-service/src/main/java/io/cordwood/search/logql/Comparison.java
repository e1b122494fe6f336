package io.cordwood.search.logql;

import java.util.Optional;

/** How two numbers are compared. */
public enum Comparison {
    EQUAL("=="),
    NOT_EQUAL("!="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    LESS("<"),
    LESS_OR_EQUAL("<=");

    private final String symbol;

    Comparison(String symbol) {
        this.symbol = symbol;
    }

    /** The comparison of this symbol; {@code =} is equality too. */
    static Optional<Comparison> of(Token token) {
        if (token.isSymbol("=")) {
            return Optional.of(EQUAL);
        }
        for (Comparison comparison : values()) {
            if (token.isSymbol(comparison.symbol)) {
                return Optional.of(comparison);
            }
        }
        return Optional.empty();
    }

    public boolean test(double left, double right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
        };
    }
}
