package io.cordwood.trino.function;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;

import io.airlift.slice.Slice;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.match.MatchSyntaxException;
import io.trino.spi.TrinoException;

/** Parses queries of {@code match} and keeps the last one: a call site nearly always has one constant. Thread-safe. */
public final class MatchQueries {
    private record Parsed(Slice text, MatchQuery query) {}

    private volatile Parsed last;

    /**
     * The query of a text.
     *
     * @throws TrinoException INVALID_FUNCTION_ARGUMENT, saying where, if the query is malformed
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
     * The query of a text.
     *
     * @throws TrinoException INVALID_FUNCTION_ARGUMENT, saying where, if the query is malformed
     */
    public static MatchQuery parse(String query) {
        try {
            return MatchQuery.parse(query);
        } catch (MatchSyntaxException e) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, e.getMessage(), e);
        }
    }
}
