package io.cordwood.search.logql;

import java.util.Locale;
import java.util.Optional;

/** A function of the series at one time. */
public enum VectorFunction {
    SUM,
    AVG,
    MIN,
    MAX,
    COUNT,
    STDDEV,
    STDVAR,
    TOPK,
    BOTTOMK,
    SORT,
    SORT_DESC;

    static Optional<VectorFunction> of(Token token) {
        for (VectorFunction function : values()) {
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

    boolean takesNumber() {
        return this == TOPK || this == BOTTOMK;
    }

    boolean takesGrouping() {
        return this != SORT && this != SORT_DESC;
    }
}
