package io.cordwood.search.loki;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.search.Patterns;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.api.Output;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code patterns}: the templates of the lines, with the number of lines at each step. */
final class PatternsOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();
    private static final long MIN_STEP = Duration.ofSeconds(1).toNanos();
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int MAX_PATTERNS = 100;
    private static final int MAX_STEPS = 1_000;

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        LogQuery query = LogQl.parseLogQuery(question.parameters().query());
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        long step = step(question.parameters(), bounds);
        // As Loki does: a sample has the time at which its step begins
        long first = Math.floorDiv(bounds.start(), step) * step;
        int steps = Math.toIntExact((bounds.end() - 1 - first) / step + 1);
        Map<String, List<Long>> patterns = question.table(query.selector())
                .map(table -> find(
                        table,
                        query,
                        bounds,
                        new Patterns.Steps(Math.floorDiv(first, NANOS_PER_MICRO), step / NANOS_PER_MICRO, steps)))
                .orElse(Map.of());
        LokiBody.write(output, json -> {
            json.writeStartArray();
            for (Map.Entry<String, List<Long>> pattern : patterns.entrySet()) {
                write(json, pattern, first, step);
            }
            json.writeEndArray();
        });
    }

    /** Whole seconds, as samples have no finer times, and not too many. */
    private static long step(LokiParameters parameters, LokiParameters.Bounds bounds) {
        long length = bounds.end() - bounds.start();
        if (length < 0) {
            throw ApiException.invalid("The time from 'start' to 'end' is too long");
        }
        long least = Math.max(Math.min(parameters.step(bounds), length), length / (MAX_STEPS - 1));
        return Math.max(1, Math.ceilDiv(least, MIN_STEP)) * MIN_STEP;
    }

    private static Map<String, List<Long>> find(
            LokiTable table, LogQuery query, LokiParameters.Bounds bounds, Patterns.Steps steps) {
        Pushdown pushdown = Pushdown.of(query, table.labels());
        if (!pushdown.isExact()) {
            throw ApiException.invalid("patterns take a selector of columns and filters of whole words, no stages");
        }
        Optional<QueryColumn> line = table.labels().line().filter(column -> column.type() == ColumnType.VARCHAR);
        return line.isEmpty()
                ? Map.of()
                : Patterns.overTime(
                        table.scan(), pushdown.filter(LokiTimes.within(bounds)), line.get(), MAX_PATTERNS, steps);
    }

    private static void write(JsonGenerator json, Map.Entry<String, List<Long>> pattern, long first, long step)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("pattern", pattern.getKey());
        json.writeArrayFieldStart("samples");
        for (int i = 0; i < pattern.getValue().size(); i++) {
            if (pattern.getValue().get(i) > 0) {
                json.writeStartArray();
                json.writeNumber(Duration.ofNanos(first + i * step).toSeconds());
                json.writeNumber(pattern.getValue().get(i));
                json.writeEndArray();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
