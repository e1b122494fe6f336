package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** {@code top_values}: the most frequent values of a column. */
final class TopValuesTool implements AgentTool {
    private final Streams streams;

    TopValuesTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "top_values";
    }

    @Override
    public String title() {
        return "Most frequent values";
    }

    @Override
    public String description() {
        return """
                The most frequent values of a column with their counts, and the number of different values: which \
                hosts, levels, status codes or messages the rows have. Give a query and a time range to count some \
                rows only.""";
    }

    @Override
    public InputSchema schema() {
        return TokenBudget.describe(CutValues.describe(Streams.rowsSchema()
                .text("column", "The column to count, such as level.")
                .require("column")
                .integer("limit", 1, 1_000, 10, "Largest number of values.")));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "values");
        TokenBudget budget = TokenBudget.of(arguments);
        CutValues values = CutValues.of(arguments);
        JsonNode answer = streams.answer(arrival, target, arguments.rest());
        int shown = 0;
        for (JsonNode value : answer.path("values")) {
            String line = "%d %s"
                    .formatted(
                            value.path("count").longValue(),
                            values.cut(value.path("value").toString()));
            if (!budget.add(line)) {
                break;
            }
            shown++;
        }
        return budget.closedBy("-- count and value; %,d of %,d different values are shown; %,d rows have none.%s%s%s"
                .formatted(
                        shown,
                        answer.path("distinct").longValue(),
                        answer.path("null_count").longValue(),
                        answer.path("approximate").booleanValue() ? " Counts are lower bounds." : "",
                        budget.note(shown < answer.path("values").size()),
                        values.note()));
    }
}
