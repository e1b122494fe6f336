package io.cordwood.search.logql;

/** Parses queries. Stateless. */
public final class LogQl {
    private static final int MAX_LENGTH = 64 << 10;

    private LogQl() {}

    /** Parses a query. @throws LogQlException if it is malformed or not supported */
    public static Expression parse(String query) {
        return parser(query).query();
    }

    /** Parses a query for lines. @throws LogQlException if it is none */
    public static LogQuery parseLogQuery(String query) {
        return parser(query).logQuery();
    }

    private static QueryParser parser(String query) {
        if (query.length() > MAX_LENGTH) {
            throw LogQlException.at(query, 0, "the query has more than %,d characters".formatted(MAX_LENGTH));
        }
        return new QueryParser(query);
    }
}
