package io.cordwood.search.logql;

import java.util.Optional;

/** An operator between numbers or series. */
public enum BinaryOperator {
    OR("or", 1),
    AND("and", 2),
    UNLESS("unless", 2),
    EQUAL("==", 3),
    NOT_EQUAL("!=", 3),
    GREATER_OR_EQUAL(">=", 3),
    LESS_OR_EQUAL("<=", 3),
    GREATER(">", 3),
    LESS("<", 3),
    ADD("+", 4),
    SUBTRACT("-", 4),
    MULTIPLY("*", 5),
    DIVIDE("/", 5),
    MODULO("%", 5),
    POWER("^", 6);

    private static final int COMPARISONS = 3;

    private final String symbol;
    private final int precedence;

    BinaryOperator(String symbol, int precedence) {
        this.symbol = symbol;
        this.precedence = precedence;
    }

    static Optional<BinaryOperator> of(Token token) {
        for (BinaryOperator operator : values()) {
            if (token.isSymbol(operator.symbol) || token.isWord(operator.symbol)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }

    /** Its symbol in a query. */
    public String symbol() {
        return symbol;
    }

    /** How strongly it binds: those with a larger number first. */
    int precedence() {
        return precedence;
    }

    boolean isRightAssociative() {
        return this == POWER;
    }

    /** Whether it combines sets of series. */
    public boolean isSetOperator() {
        return precedence < COMPARISONS;
    }

    public boolean isComparison() {
        return precedence == COMPARISONS;
    }

    /** Its result for two numbers; of a comparison 1 or 0. */
    public double apply(double left, double right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            case MODULO -> left % right;
            case POWER -> Math.pow(left, right);
            case EQUAL -> number(left == right);
            case NOT_EQUAL -> number(left != right);
            case GREATER -> number(left > right);
            case GREATER_OR_EQUAL -> number(left >= right);
            case LESS -> number(left < right);
            case LESS_OR_EQUAL -> number(left <= right);
            case OR, AND, UNLESS -> throw new IllegalStateException("No operator of numbers: " + this);
        };
    }

    private static double number(boolean isTrue) {
        return isTrue ? 1 : 0;
    }
}
