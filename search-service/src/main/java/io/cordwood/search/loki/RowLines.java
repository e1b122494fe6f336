package io.cordwood.search.loki;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.Vectors;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.logql.line.LabelNames;
import io.cordwood.search.logql.line.LogLine;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes lines of rows. Immutable and thread-safe. */
final class RowLines {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Behind the label of an attribute, where a column has the same one. */
    private static final String ATTRIBUTE_SUFFIX = "_attribute";

    private final TableLabels labels;
    private final List<QueryColumn> columns;
    private final Map<QueryColumn, String> names = new HashMap<>();

    /** @param columns the columns of the rows, the time among them */
    RowLines(TableLabels labels, List<QueryColumn> columns) {
        this.labels = labels;
        this.columns = List.copyOf(columns);
        labels.stream().forEach((name, column) -> names.put(column, name));
        labels.structured().forEach((name, column) -> names.put(column, name));
    }

    /** The line of a row. */
    LogLine line(List<Vector> vectors, int row) {
        long micros = 0;
        Optional<String> text = Optional.empty();
        Map<String, String> stream = new LinkedHashMap<>();
        stream.put(StreamChoice.LABEL, labels.name());
        Map<String, String> structured = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            QueryColumn column = columns.get(i);
            Vector vector = vectors.get(i);
            if (vector.isNull(row)) {
                continue;
            }
            if (column.equals(QueryColumn.TS)) {
                micros = ((LongVector) vector).values()[row];
            } else if (vector instanceof MapVector map) {
                addAttributes(map, row, structured);
            } else if (names.containsKey(column)) {
                String name = names.get(column);
                String value = Vectors.text(vector, column.type(), row);
                if (!value.isEmpty()) {
                    (labels.isOfStream(name) ? stream : structured).put(name, value);
                }
            } else if (labels.line().equals(Optional.of(column))) {
                text = Optional.of(Vectors.text(vector, column.type(), row));
            }
        }
        String line = labels.line().isPresent() ? text.orElse("") : lineWithoutColumn(stream, structured);
        return new LogLine(LokiTimes.nanos(micros), line, stream, structured);
    }

    private void addAttributes(MapVector map, int row, Map<String, String> structured) {
        for (int entry = map.entryOffsets()[row]; entry < map.entryOffsets()[row + 1]; entry++) {
            if (!map.values().isNull(entry)) {
                String name = LabelNames.of(map.keys().string(entry));
                String value = map.values().string(entry);
                if (!value.isEmpty()) {
                    structured.putIfAbsent(labels.isTaken(name) ? name + ATTRIBUTE_SUFFIX : name, value);
                }
            }
        }
    }

    /** The attribute of a usual name; without one, all labels as JSON. */
    private static String lineWithoutColumn(Map<String, String> stream, Map<String, String> structured) {
        Optional<String> attribute =
                TableLabels.LINE_NAMES.stream().filter(structured::containsKey).findFirst();
        if (attribute.isPresent()) {
            return structured.remove(attribute.get());
        }
        ObjectNode all = JSON.createObjectNode();
        stream.forEach(all::put);
        structured.forEach(all::put);
        all.remove(StreamChoice.LABEL);
        return all.toString();
    }
}
