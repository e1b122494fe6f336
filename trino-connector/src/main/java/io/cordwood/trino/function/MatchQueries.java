package io.cordwood.trino.function;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;

import io.airlift.slice.Slice;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.match.MatchSyntaxException;
import io.trino.spi.TrinoException;

/**
 * A parser of {@code match} queries that caches the last one, because a call site nearly always has one constant query.
 * Thread-safe.
 */
public final class MatchQueries {
    private record Parsed(Slice text, MatchQuery query) {}

    private volatile Parsed last;

    /**
     * Parses a query.
     *
     * @throws TrinoException INVALID_FUNCTION_ARGUMENT, with the position, if the query is malformed
     */
    public MatchQuery parse(Slice query) {
        Parsed parsed = last;
        if (parsed == null || !parsed.text().equals(query)) {
            parsed = new Parsed(query.copy(), parse(query.toStringUtf8()));
            last = parsed;
        }
        return parsed.query();
    }

    /**
     * Parses a query.
     *
     * @throws TrinoException INVALID_FUNCTION_ARGUMENT, with the position, if the query is malformed
     */
    public static MatchQuery parse(String query) {
        try {
            return MatchQuery.parse(query);
        } catch (MatchSyntaxException e) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, e.getMessage(), e);
        }
    }
}
