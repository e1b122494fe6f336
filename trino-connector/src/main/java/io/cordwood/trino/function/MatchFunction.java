package io.cordwood.trino.function;

import io.airlift.slice.Slice;
import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

/**
 * {@code match(text, query)} where the engine evaluates it: the value is cut into tokens, as in a text column. The
 * connector takes over calls on columns, and so knows which are keyword columns.
 *
 * <p>An instance belongs to one call site and is safe for use by many threads.
 */
@ScalarFunction("match")
@Description("Whether the text holds the tokens, phrases and prefixes the query asks for")
public final class MatchFunction {
    private final MatchQueries queries = new MatchQueries();

    @LiteralParameters({"x", "y"})
    @SqlType(StandardTypes.BOOLEAN)
    public boolean match(@SqlType("varchar(x)") Slice text, @SqlType("varchar(y)") Slice query) {
        return queries.parse(query).matchesText(text.toStringUtf8());
    }
}
