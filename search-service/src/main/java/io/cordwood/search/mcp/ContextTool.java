package io.cordwood.search.mcp;

import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** {@code context}: the rows around a row. */
final class ContextTool implements AgentTool {
    private static final String BEFORE = "before";
    private static final String AFTER = "after";
    private static final int DEFAULT_ROWS = 10;
    private static final int MAX_ROWS = 500;

    private final Streams streams;

    ContextTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "context";
    }

    @Override
    public String title() {
        return "Show the rows around a row";
    }

    @Override
    public String description() {
        return """
                Shows the rows just before and after a row that search found, oldest first, the row among them: what \
                led to an error, and what came of it. With "same", only rows of the same host, pod or request.""";
    }

    @Override
    public InputSchema schema() {
        return Rows.describe(Streams.schema()
                .text("row", "The _cursor of the row.")
                .require("row")
                .integer(BEFORE, 0, MAX_ROWS, DEFAULT_ROWS, "Rows before it.")
                .integer(AFTER, 0, MAX_ROWS, DEFAULT_ROWS, "Rows after it.")
                .texts("same", "Columns in which the rows have the row's own values, such as [\"host\"]."));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "context");
        Rows rows = new Rows(arguments);
        int before = arguments.integer(BEFORE, 0, MAX_ROWS).orElse(DEFAULT_ROWS);
        int after = arguments.integer(AFTER, 0, MAX_ROWS).orElse(DEFAULT_ROWS);
        streams.answer(arrival, target, arguments.rest().with(BEFORE, before).with(AFTER, after), rows);
        return rows.closedBy("%,d rows of %s, oldest first.%s"
                .formatted(
                        rows.count(),
                        Streams.name(target),
                        rows.isCut() ? " Later ones are left out: ask for fewer rows before it." : ""));
    }
}
