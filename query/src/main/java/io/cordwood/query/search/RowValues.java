package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the values of rows of several LogBlocks. Stateless. */
final class RowValues {
    private RowValues() {}

    /** The rows with their values, in the same order. */
    static RowChunk read(List<FoundRow> rows, List<QueryColumn> columns) {
        Map<RowSource, List<Integer>> bySource = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            bySource.computeIfAbsent(rows.get(i).source(), any -> new ArrayList<>())
                    .add(i);
        }
        List<List<Vector>> parts = new ArrayList<>();
        columns.forEach(column -> parts.add(new ArrayList<>()));
        int[] places = new int[rows.size()];
        int place = 0;
        for (Map.Entry<RowSource, List<Integer>> entry : bySource.entrySet()) {
            List<Integer> ascending = entry.getValue().stream()
                    .sorted(Comparator.comparingInt(i -> rows.get(i).row()))
                    .toList();
            for (int i : ascending) {
                places[i] = place++;
            }
            List<Vector> vectors = values(
                    entry.getKey(),
                    columns,
                    ascending.stream().mapToInt(i -> rows.get(i).row()).toArray());
            for (int column = 0; column < vectors.size(); column++) {
                parts.get(column).add(vectors.get(column));
            }
        }
        return new RowChunk(
                rows.stream().map(FoundRow::position).toList(),
                parts.stream().map(Vectors::concat).toList(),
                places);
    }

    private static List<Vector> values(RowSource source, List<QueryColumn> columns, int[] rows) {
        try {
            return source.read(columns, rows);
        } catch (IOException | RuntimeException e) {
            throw source.reader().failure(e);
        }
    }
}
