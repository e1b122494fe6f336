package io.cordwood.search.loki;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.search.api.Output;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.Stage;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code detected_fields}: structured metadata, and what parsers find in the newest lines. */
final class DetectedFieldsOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 5_000;
    private static final int SAMPLED_LINES = 1_000;

    private static final Pipeline JSON = new Pipeline(List.of(new Stage.Json(List.of())));
    private static final Pipeline LOGFMT = new Pipeline(List.of(new Stage.Logfmt(false, false, List.of())));

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        LogQuery query = LogQl.parseLogQuery(question.parameters().query());
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        int limit = question.parameters().limit(DEFAULT_LIMIT, MAX_LIMIT);
        Map<String, DetectedField> fields = new TreeMap<>();
        question.table(query.selector())
                .ifPresent(table -> LineSearch.find(table, query, LokiTimes.within(bounds), true, SAMPLED_LINES)
                        .forEach(found -> detect(found.line(), fields)));
        LokiBody.writeObject(output, json -> {
            json.writeArrayFieldStart("fields");
            int written = 0;
            for (Map.Entry<String, DetectedField> field : fields.entrySet()) {
                if (written++ < limit) {
                    write(json, field.getKey(), field.getValue());
                }
            }
            json.writeEndArray();
            json.writeNumberField("limit", limit);
        });
    }

    private static void detect(LogLine line, Map<String, DetectedField> fields) {
        line.structured().forEach((name, value) -> field(fields, name).add(value));
        line.parsed().forEach((name, value) -> field(fields, name).add(value));
        boolean isJson = line.line().startsWith("{");
        LogLine parsed = new LogLine(line.nanos(), line.line(), Map.of(), Map.of());
        if ((isJson ? JSON : LOGFMT).keeps(parsed) && !parsed.hasError()) {
            parsed.parsed().forEach((name, value) -> field(fields, name).add(value, isJson ? "json" : "logfmt"));
        }
    }

    private static DetectedField field(Map<String, DetectedField> fields, String name) {
        return fields.computeIfAbsent(name, any -> new DetectedField());
    }

    private static void write(JsonGenerator json, String name, DetectedField field) throws IOException {
        json.writeStartObject();
        json.writeStringField("label", name);
        json.writeStringField("type", field.type());
        json.writeNumberField("cardinality", field.values().size());
        json.writeFieldName("parsers");
        if (field.parsers().isEmpty()) {
            json.writeNull();
        } else {
            LokiBody.write(json, field.parsers());
        }
        json.writeEndObject();
    }
}
