package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.metric.NeededLabels;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** {@code detected_labels}: the labels of streams that have a value, and how many values each has. */
final class DetectedLabelsOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();

    /** Beyond it a number of values is a lower bound. */
    private static final int MAX_VALUES = 1_000;

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        LogQuery selector = new LogQuery(question.parameters().selector(), List.of());
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        Map<String, Set<String>> values = new ConcurrentHashMap<>();
        new TableLines(question)
                .read(
                        selector,
                        NeededLabels.OF_STREAM,
                        bounds.start() - 1,
                        bounds.end() - 1,
                        line -> line.stream().forEach((label, value) -> add(values, label, value)));
        LokiBody.writeObject(output, json -> {
            json.writeArrayFieldStart("detectedLabels");
            for (Map.Entry<String, Set<String>> label : new TreeMap<>(values).entrySet()) {
                json.writeStartObject();
                json.writeStringField("label", label.getKey());
                json.writeNumberField("cardinality", label.getValue().size());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void add(Map<String, Set<String>> values, String label, String value) {
        Set<String> ofLabel = values.computeIfAbsent(label, any -> ConcurrentHashMap.newKeySet());
        if (ofLabel.size() < MAX_VALUES) {
            ofLabel.add(value);
        }
    }
}
