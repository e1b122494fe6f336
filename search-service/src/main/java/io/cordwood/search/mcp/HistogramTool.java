package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.time.Duration;

/** {@code histogram}: counts over time. */
final class HistogramTool implements AgentTool {
    private static final String BUCKETS = "buckets";
    private static final String INTERVAL = "interval";
    private static final int DEFAULT_BUCKETS = 30;
    private static final int MAX_BUCKETS = 500;

    private final Streams streams;

    HistogramTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "histogram";
    }

    @Override
    public String title() {
        return "Count logs over time";
    }

    @Override
    public String description() {
        return """
                Counts rows over time, in total or by the values of a column: when did errors begin, which host \
                sends more than before. Much cheaper than reading rows. "from" and "to" are needed.""";
    }

    @Override
    public InputSchema schema() {
        return TokenBudget.describe(CutValues.describe(Streams.rowsSchema()
                .require("from")
                .require("to")
                .integer(
                        BUCKETS,
                        1,
                        MAX_BUCKETS,
                        DEFAULT_BUCKETS,
                        "Largest number of buckets; their length is a round one.")
                .text(INTERVAL, "Length of a bucket instead of \"buckets\": 30s, 5m, 1h, 1d.")
                .text("by", "Column by whose values each bucket is counted, such as level.")));
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "histogram");
        TokenBudget budget = TokenBudget.of(arguments);
        CutValues values = CutValues.of(arguments);
        RequestFields fields = arguments.rest();
        JsonNode answer = streams.answer(
                arrival,
                target,
                fields.has(INTERVAL) || fields.has(BUCKETS) ? fields : fields.with(BUCKETS, DEFAULT_BUCKETS));
        long rows = 0;
        boolean isCut = false;
        for (JsonNode bucket : answer.path("buckets")) {
            StringBuilder line =
                    new StringBuilder(bucket.path("start").textValue().replace(".000000Z", "Z"));
            long ofBucket = bucket.path("other").longValue();
            for (JsonNode count : bucket.path("counts")) {
                JsonNode value = count.path("value");
                line.append(' ')
                        .append(value.isNull() ? "" : values.cut(value.toString()) + "=")
                        .append(count.path("count").longValue());
                ofBucket += count.path("count").longValue();
            }
            if (bucket.has("other")) {
                line.append(" (other)=").append(bucket.path("other").longValue());
            }
            rows += ofBucket;
            if (ofBucket > 0 && !isCut) {
                isCut = !budget.add(line.toString());
            }
        }
        return budget.closedBy("-- %,d rows of %s in buckets of %s; buckets without rows are left out.%s%s%s"
                .formatted(
                        rows,
                        Streams.name(target),
                        Duration.ofMillis(answer.path("interval_ms").longValue()),
                        answer.path("approximate").booleanValue() ? " Counts are lower bounds." : "",
                        budget.note(isCut),
                        values.note()));
    }
}
