package io.cordwood.search.logql;

/** A query that is malformed, or that uses a part of LogQL that is not supported. The message says where. */
public final class LogQlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private LogQlException(String message, Throwable cause) {
        super(message, cause);
    }

    /** An error at a character of the query, counted from 0. */
    static LogQlException at(String query, int position, String problem) {
        return at(query, position, problem, null);
    }

    static LogQlException at(String query, int position, String problem, Throwable cause) {
        String before = query.substring(0, Math.min(position, query.length()));
        long line = 1 + before.chars().filter(c -> c == '\n').count();
        int column = before.length() - before.lastIndexOf('\n');
        return new LogQlException("parse error at line %d, col %d: %s".formatted(line, column, problem), cause);
    }
}
