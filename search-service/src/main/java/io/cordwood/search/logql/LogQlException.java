package io.cordwood.search.logql;

/** A query that is malformed, or that uses a part of LogQL that is not supported. The message says where. */
public final class LogQlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int position;
    private final String problem;

    private LogQlException(String message, String problem, int position, Throwable cause) {
        super(message, cause);
        this.problem = problem;
        this.position = position;
    }

    /** An error at a character of the query, counted from 0. */
    static LogQlException at(String query, int position, String problem) {
        return at(query, position, problem, null);
    }

    static LogQlException at(String query, int position, String problem, Throwable cause) {
        int end = Math.min(position, query.length());
        int line =
                1 + (int) query.substring(0, end).chars().filter(c -> c == '\n').count();
        int column = end - query.lastIndexOf('\n', Math.max(0, end - 1));
        if (end == 0) {
            column = 1;
        }
        return new LogQlException(
                "parse error at line %d, col %d: %s".formatted(line, column, problem), problem, position, cause);
    }

    /** The character of the query that is wrong, counted from 0. */
    public int position() {
        return position;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return problem;
    }
}
