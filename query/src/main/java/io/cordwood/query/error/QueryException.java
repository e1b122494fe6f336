package io.cordwood.query.error;

import static java.util.Objects.requireNonNull;

/** A failure to plan a query or read its data; the message says why, where, and what to do. */
public final class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final QueryError error;

    public QueryException(QueryError error, String message) {
        this(error, message, null);
    }

    public QueryException(QueryError error, String message, Throwable cause) {
        super(message, cause);
        this.error = requireNonNull(error, "error is null");
    }

    public QueryError error() {
        return error;
    }
}
