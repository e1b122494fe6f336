package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cordwood.catalog.access.Callers;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import io.cordwood.search.sql.ReadOnlySql;

/** {@code sql}: a query by Trino. */
final class SqlTool implements AgentTool {
    private static final String LIMIT = "limit";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final ReadOnlySql sql;

    SqlTool(ReadOnlySql sql) {
        this.sql = sql;
    }

    @Override
    public String name() {
        return "sql";
    }

    @Override
    public String title() {
        return "Query logs by SQL";
    }

    @Override
    public String description() {
        return """
                Runs a query in Trino, for what the other tools cannot do: joins, sums, percentiles, comparisons of \
                times. It only reads. A stream is the table cordwood.TENANT.STREAM; a name that is no plain \
                identifier is in double quotes: cordwood."acme-prod".logs, "http.status". Columns are those of \
                describe; further fields are attributes['name']. match(message, 'timeout OR refused') finds words by \
                the index. Give a range of ts: ts >= TIMESTAMP '2026-01-02 00:00:00 UTC'. Example: SELECT host, \
                count(*), approx_percentile(took, 0.95) FROM cordwood.acme.logs WHERE ts > now() - INTERVAL '1' HOUR \
                AND match(message, 'timeout') GROUP BY host ORDER BY 2 DESC LIMIT 20""";
    }

    @Override
    public InputSchema schema() {
        return Rows.describe(InputSchema.none()
                .text("sql", "One statement of Trino's SQL, without a semicolon.")
                .require("sql")
                .integer(LIMIT, 1, MAX_LIMIT, DEFAULT_LIMIT, "Largest number of rows; the query is cancelled then."));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws InterruptedException {
        String query = arguments.text("sql").orElseThrow(() -> ApiException.invalid("'sql' is missing"));
        SqlRows rows = new SqlRows(
                TokenBudget.of(arguments),
                CutValues.of(arguments),
                arguments.integer(LIMIT, 1, MAX_LIMIT).orElse(DEFAULT_LIMIT));
        arguments.requireNoOthers();
        sql.run(
                arrival.caller().user(),
                arrival.authorization().map(Callers::asBearer),
                arrival.client(),
                query,
                rows::take);
        return rows.text();
    }

    /** The rows as arrays of JSON, the first of them with the columns' names. */
    private static final class SqlRows {
        private final TokenBudget budget;
        private final CutValues values;
        private final int limit;
        private int lines;
        private boolean isCut;
        private boolean isBeyondLimit;

        SqlRows(TokenBudget budget, CutValues values, int limit) {
            this.budget = budget;
            this.values = values;
            this.limit = limit;
        }

        boolean take(JsonNode row) {
            // The first line is no row
            isBeyondLimit = lines > limit;
            isCut = !isBeyondLimit && !budget.add(cut(row).toString());
            if (isBeyondLimit || isCut) {
                return false;
            }
            lines++;
            return true;
        }

        private JsonNode cut(JsonNode row) {
            ArrayNode shown = row.deepCopy();
            for (int i = 0; i < shown.size(); i++) {
                JsonNode value = shown.get(i);
                if (value.isTextual() || value.isContainerNode()) {
                    String text = value.isTextual() ? value.textValue() : value.toString();
                    String part = values.cut(text);
                    if (!part.equals(text)) {
                        shown.set(i, TextNode.valueOf(part));
                    }
                }
            }
            return shown;
        }

        String text() {
            return budget.closedBy("-- %,d rows; the first line has the names of the columns.%s%s%s"
                    .formatted(
                            Math.max(0, lines - 1),
                            isBeyondLimit ? " There are more: sum up in SQL, or raise limit." : "",
                            budget.note(isCut),
                            values.note()));
        }
    }
}
