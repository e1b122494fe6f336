package io.cordwood.query.error;

import static java.util.Objects.requireNonNull;

/**
 * A failure to plan a query or read its data. The message says why and where, and names a limit that was exceeded. It
 * names no setting or statement of an engine: the engine's adapter adds the advice for its users, by {@link #error}.
 */
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
