package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.pattern.LogPattern;
import io.cordwood.query.pattern.LogPatterns;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.Timestamps;
import io.cordwood.query.search.Patterns;
import io.cordwood.query.search.TextColumn;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Optional;

/** {@code patterns}: the templates of a text column, with their counts now and in the time before. */
final class PatternsOperation implements Operation {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1000;
    private static final double PRECISION = 1e6;

    private record Request(Condition condition, Optional<String> column, int limit) {}

    @Override
    public Answer prepare(RequestFields fields) {
        Request request = new Request(
                Condition.of(fields),
                fields.text("column"),
                fields.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT));
        fields.requireNoOthers();
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(Request request, Asked asked, Output output) throws IOException {
        QueryColumn column = TextColumn.of(asked.table(), request.column());
        ScanFilter filter = request.condition().filter(asked.table());
        boolean hasBefore = Patterns.timeBefore(filter.time()).isPresent();
        LogPatterns patterns = Patterns.find(asked.scan(), filter, column, request.limit());
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeStringField("column", column.name());
            json.writeArrayFieldStart("patterns");
            for (LogPattern pattern : patterns.patterns()) {
                json.writeStartObject();
                json.writeStringField("pattern", pattern.template());
                writeCounts(json, pattern.count(), pattern.before(), patterns.rows(), hasBefore);
                json.writeStringField("first", Timestamps.text(pattern.firstMicros()));
                json.writeStringField("last", Timestamps.text(pattern.lastMicros()));
                json.writeObjectFieldStart("sample");
                json.writeStringField("ts", Timestamps.text(pattern.firstMicros()));
                json.writeStringField("text", pattern.sample());
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
            write(json, "other", patterns.others(), patterns.rows(), hasBefore);
            write(json, "without_text", patterns.withoutText(), patterns.rows(), hasBefore);
            json.writeNumberField("count", patterns.rows());
            if (hasBefore) {
                json.writeNumberField("before", patterns.before());
            }
            json.writeBooleanField("approximate", patterns.isApproximate());
            ShownStatistics.write(json, asked);
            json.writeEndObject();
        }
    }

    private static void write(JsonGenerator json, String name, LogPatterns.Others others, long rows, boolean hasBefore)
            throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("patterns", others.patterns());
        writeCounts(json, others.count(), others.before(), rows, hasBefore);
        json.writeEndObject();
    }

    private static void writeCounts(JsonGenerator json, long count, long before, long rows, boolean hasBefore)
            throws IOException {
        json.writeNumberField("count", count);
        json.writeNumberField("share", rows == 0 ? 0 : Math.round(PRECISION * count / rows) / PRECISION);
        if (hasBefore) {
            json.writeNumberField("before", before);
        }
    }
}
