package io.cordwood.trino.function;

import io.airlift.slice.Slice;
import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

/**
 * {@code match} on a keyword column as the engine evaluates it: the whole value is one token. The connector rewrites
 * {@code match} on a keyword column to this function if it leaves the call to the engine.
 *
 * <p>An instance belongs to one call site and is safe for use by many threads.
 */
@ScalarFunction("match_keyword")
@Description("Whether the whole value matches the query, ignoring case")
public final class MatchKeywordFunction {
    private final MatchQueries queries = new MatchQueries();

    @LiteralParameters({"x", "y"})
    @SqlType(StandardTypes.BOOLEAN)
    public boolean match(@SqlType("varchar(x)") Slice value, @SqlType("varchar(y)") Slice query) {
        return queries.parse(query).matchesKeyword(value.toStringUtf8());
    }
}
