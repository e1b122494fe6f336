package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** {@code patterns}: the templates that lines follow. */
final class PatternsTool implements AgentTool {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1_000;

    private final Streams streams;

    PatternsTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "patterns";
    }

    @Override
    public String title() {
        return "Patterns of log lines";
    }

    @Override
    public String description() {
        return """
                Groups log lines by the template that they follow, such as "timeout after <num> ms", most frequent \
                first. The cheapest way to see what a stream says at all, and what is new: with "from" and "to" each \
                pattern also has its count in the time range of the same length before.""";
    }

    @Override
    public InputSchema schema() {
        return TokenBudget.describe(CutValues.describe(Streams.rowsSchema()
                .text("column", "The text column; the first one of the stream by default.")
                .integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT, "Largest number of patterns.")));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "patterns");
        TokenBudget budget = TokenBudget.of(arguments);
        CutValues values = CutValues.of(arguments);
        JsonNode answer = streams.answer(arrival, target, arguments.rest());
        boolean hasBefore = answer.has("before");
        int shown = 0;
        for (JsonNode pattern : answer.path("patterns")) {
            String line = "%d%s %s"
                    .formatted(
                            pattern.path("count").longValue(),
                            hasBefore
                                    ? " (before %d)"
                                            .formatted(pattern.path("before").longValue())
                                    : "",
                            values.cut(pattern.path("pattern").textValue()));
            if (!budget.add(line)) {
                break;
            }
            shown++;
        }
        JsonNode other = answer.path("other");
        return budget.closedBy(
                "-- count%s and pattern; %,d of %,d rows of %s are of other patterns, %,d have no text.%s%s%s"
                        .formatted(
                                hasBefore ? ", count before" : "",
                                other.path("count").longValue(),
                                answer.path("count").longValue(),
                                Streams.name(target),
                                answer.path("without_text").path("count").longValue(),
                                answer.path("approximate").booleanValue() ? " The patterns are those of a sample." : "",
                                budget.note(shown < answer.path("patterns").size()),
                                values.note()));
    }
}
