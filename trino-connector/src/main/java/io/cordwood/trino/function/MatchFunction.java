package io.cordwood.trino.function;

import io.airlift.slice.Slice;
import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

/**
 * {@code match(text, query)} as the engine evaluates it: the function cuts the value into tokens, as in a text column.
 * The connector takes over calls on columns, because only it knows the keyword columns.
 *
 * <p>An instance belongs to one call site and is safe for use by many threads.
 */
@ScalarFunction("match")
@Description("Whether the text contains the tokens, phrases and prefixes of the query")
public final class MatchFunction {
    private final MatchQueries queries = new MatchQueries();

    @LiteralParameters({"x", "y"})
    @SqlType(StandardTypes.BOOLEAN)
    public boolean match(@SqlType("varchar(x)") Slice text, @SqlType("varchar(y)") Slice query) {
        return queries.parse(query).matchesText(text.toStringUtf8());
    }
}
