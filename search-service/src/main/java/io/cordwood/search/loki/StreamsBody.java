package io.cordwood.search.loki;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.search.logql.line.LogLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Writes lines by their streams. Stateless. */
final class StreamsBody {
    private StreamsBody() {}

    /**
     * Writes an array of streams.
     *
     * @param categorizes whether labels that are not of the stream are beside each line; otherwise lines that differ in
     *     them are different streams
     */
    static void write(JsonGenerator json, List<LogLine> lines, boolean categorizes) throws IOException {
        Map<SortedMap<String, String>, List<LogLine>> streams = new LinkedHashMap<>();
        for (LogLine line : lines) {
            streams.computeIfAbsent(categorizes ? line.stream() : line.labels(), any -> new ArrayList<>())
                    .add(line);
        }
        json.writeStartArray();
        for (Map.Entry<SortedMap<String, String>, List<LogLine>> stream : streams.entrySet()) {
            json.writeStartObject();
            json.writeFieldName("stream");
            LokiBody.write(json, stream.getKey());
            json.writeArrayFieldStart("values");
            for (LogLine line : stream.getValue()) {
                write(json, line, categorizes);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, LogLine line, boolean categorizes) throws IOException {
        json.writeStartArray();
        json.writeString(Long.toString(line.nanos()));
        json.writeString(line.line());
        if (categorizes) {
            json.writeStartObject();
            write(json, "structuredMetadata", line.structured());
            write(json, "parsed", line.parsed());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, String name, Map<String, String> labels) throws IOException {
        if (!labels.isEmpty()) {
            json.writeFieldName(name);
            LokiBody.write(json, labels);
        }
    }
}
