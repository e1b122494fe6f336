package io.cordwood.search.logql;

import static java.util.Objects.requireNonNull;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.regex.Matching;
import java.util.Optional;

/**
 * A condition on the value of a label. A label that a line lacks has the empty value. Immutable.
 *
 * @param label name of the label
 * @param operator how values are compared
 * @param value what they are compared with
 * @param pattern the value as a regular expression, where the operator takes one; it matches whole values
 */
public record LabelMatcher(String label, Operator operator, String value, Optional<Pattern> pattern) {
    /** How a matcher compares. */
    public enum Operator {
        EQUAL("="),
        NOT_EQUAL("!="),
        MATCHES("=~"),
        NOT_MATCHES("!~");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        static Optional<Operator> of(Token token) {
            for (Operator operator : values()) {
                if (token.isSymbol(operator.symbol)) {
                    return Optional.of(operator);
                }
            }
            return Optional.empty();
        }

        boolean takesPattern() {
            return this == MATCHES || this == NOT_MATCHES;
        }
    }

    public LabelMatcher {
        requireNonNull(label, "label is null");
        requireNonNull(operator, "operator is null");
        requireNonNull(value, "value is null");
        requireNonNull(pattern, "pattern is null");
    }

    /** Whether it is true of a value. */
    public boolean matches(String actual) {
        return switch (operator) {
            case EQUAL -> value.equals(actual);
            case NOT_EQUAL -> !value.equals(actual);
            case MATCHES -> isMatched(actual);
            case NOT_MATCHES -> !isMatched(actual);
        };
    }

    private boolean isMatched(String actual) {
        return Matching.matcher(pattern.orElseThrow(), actual).matches();
    }
}
