package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.metric.NeededLabels;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** {@code series}: the different sets of labels of streams, up to a number of them. */
final class SeriesOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(6).toNanos();
    private static final int MAX_SERIES = 5_000;

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        List<LogQuery> selectors = new ArrayList<>();
        for (String name : List.of("match[]", "match")) {
            question.parameters().texts(name).stream().map(LogQl::parseLogQuery).forEach(selectors::add);
        }
        if (selectors.isEmpty()) {
            throw ApiException.invalid("0 matcher groups supplied: send a selector as 'match[]'");
        }
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        Set<SortedMap<String, String>> series = ConcurrentHashMap.newKeySet();
        for (LogQuery selector : selectors) {
            LogQuery lines = new LogQuery(selector.selector(), List.of());
            new TableLines(question)
                    .read(
                            lines,
                            NeededLabels.OF_STREAM,
                            bounds.start() - 1,
                            bounds.end() - 1,
                            line -> add(series, line));
        }
        LokiBody.write(output, json -> {
            json.writeStartArray();
            for (Map<String, String> labels : series) {
                LokiBody.write(json, labels);
            }
            json.writeEndArray();
        });
    }

    private static void add(Set<SortedMap<String, String>> series, LogLine line) {
        if (series.size() < MAX_SERIES) {
            series.add(line.stream());
        }
    }
}
