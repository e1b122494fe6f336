package io.cordwood.search.loki;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.TableScan;
import io.cordwood.search.api.Output;
import java.io.IOException;
import java.util.Map;

/** Writes what all answers have in common. Stateless. */
final class LokiBody {
    private static final String JSON = "application/json; charset=UTF-8";
    private static final double NANOS_PER_SECOND = 1e9;

    private LokiBody() {}

    /** Writes the value of a field. */
    @FunctionalInterface
    interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    /** Answers with {@code {"status":"success","data":..}}. */
    static void write(Output output, Part data) throws IOException {
        writeObject(output, json -> {
            json.writeStringField("status", "success");
            json.writeFieldName("data");
            data.write(json);
        });
    }

    /** Answers with an object of these fields. */
    static void writeObject(Output output, Part fields) throws IOException {
        try (JsonGenerator json = output.json(JSON)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        }
    }

    static void write(JsonGenerator json, Iterable<String> texts) throws IOException {
        json.writeStartArray();
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    static void write(JsonGenerator json, Map<String, String> labels) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, String> label : labels.entrySet()) {
            json.writeStringField(label.getKey(), label.getValue());
        }
        json.writeEndObject();
    }

    /** Writes the field {@code stats}. */
    static void writeStatistics(JsonGenerator json, LokiQuestion question, long entries) throws IOException {
        long bytes = 0;
        long rows = 0;
        for (TableScan scan : question.scans()) {
            bytes += scan.counts().getOrDefault("bytes read", 0L);
            rows += scan.counts().getOrDefault("rows selected", 0L);
        }
        double seconds = question.nanos() / NANOS_PER_SECOND;
        json.writeObjectFieldStart("stats");
        json.writeObjectFieldStart("summary");
        json.writeNumberField("bytesProcessedPerSecond", (long) (bytes / seconds));
        json.writeNumberField("linesProcessedPerSecond", (long) (rows / seconds));
        json.writeNumberField("totalBytesProcessed", bytes);
        json.writeNumberField("totalLinesProcessed", rows);
        json.writeNumberField("execTime", seconds);
        json.writeNumberField("queueTime", 0);
        json.writeNumberField("totalEntriesReturned", entries);
        json.writeEndObject();
        json.writeEndObject();
    }
}
