package io.cordwood.search.loki;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.search.api.Output;
import io.cordwood.search.logql.Expression;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.line.LogLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** {@code query_range}: lines of a time range, or numbers at points of it. */
final class QueryRangeOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        Expression expression = LogQl.parse(question.parameters().query());
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        switch (expression) {
            case LogQuery query -> lines(question, query, bounds, output);
            case SampleExpression sample ->
                SampleQuery.answer(question, sample, SampleQuery.steps(question.parameters(), bounds), true, output);
        }
    }

    private static void lines(LokiQuestion question, LogQuery query, LokiParameters.Bounds bounds, Output output)
            throws IOException {
        int limit = question.parameters().limit();
        boolean newestFirst = question.parameters().newestFirst();
        TimeRange time = LokiTimes.within(bounds);
        List<LogLine> lines = question.table(query.selector()).stream()
                .flatMap(table -> LineSearch.find(table, query, time, newestFirst, limit).stream())
                .map(LineSearch.FoundLine::line)
                .toList();
        boolean categorizes = question.parameters().categorizes();
        LokiBody.write(output, json -> {
            json.writeStartObject();
            json.writeStringField("resultType", "streams");
            if (categorizes) {
                json.writeFieldName("encodingFlags");
                LokiBody.write(json, List.of(LokiParameters.CATEGORIZE_LABELS));
            }
            json.writeFieldName("result");
            StreamsBody.write(json, lines, categorizes);
            LokiBody.writeStatistics(json, question, lines.size());
            json.writeEndObject();
        });
    }
}
