package io.cordwood.search.logql.metric;

/** A query that has no result for these lines, or needs more memory than it may. */
public final class EvaluationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EvaluationException(String message) {
        super(message);
    }
}
