package io.cordwood.search.mcp;

import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.List;

/** {@code search}: the newest or oldest rows. */
final class SearchTool implements AgentTool {
    private static final String LIMIT = "limit";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1_000;

    private final Streams streams;

    SearchTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "search";
    }

    @Override
    public String title() {
        return "Search logs";
    }

    @Override
    public String description() {
        return """
                Finds log rows, newest first, one JSON object a line without columns that are null. Give a time \
                range: it is faster. To learn how much there is, use histogram or top_values before you read rows. A \
                row's _cursor is for the tool context, which shows the rows around it. Result ends in a line that \
                begins with --: it says whether more rows follow, and the cursor for "after".""";
    }

    @Override
    public InputSchema schema() {
        return Rows.describe(Streams.rowsSchema()
                .texts("columns", "Columns to return, such as [\"ts\", \"level\", \"message\"]; all without it.")
                .choice("order", List.of("desc", "asc"), "desc: newest first (default); asc: oldest first.")
                .integer(LIMIT, 1, MAX_LIMIT, DEFAULT_LIMIT, "Largest number of rows.")
                .text("after", "Cursor from the page before; the other arguments stay the same."));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "search");
        Rows rows = new Rows(arguments);
        int limit = arguments.integer(LIMIT, 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        streams.answer(arrival, target, arguments.rest().with(LIMIT, limit), rows);
        String more;
        if (rows.next().isPresent()) {
            more = "More may match: ask again with after=\"%s\"."
                    .formatted(rows.next().get());
        } else {
            more = rows.isCut() ? "The next row does not fit: name the columns that you need." : "No more rows match.";
        }
        return rows.closedBy("%,d rows of %s. %s".formatted(rows.count(), Streams.name(target), more));
    }
}
