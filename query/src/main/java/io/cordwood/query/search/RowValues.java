package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Reads the values of rows of several LogBlocks. Stateless. */
final class RowValues {
    private RowValues() {}

    /** The rows with their values, in the same order. */
    static RowChunk read(List<FoundRow> rows, List<QueryColumn> columns) {
        Map<RowSource, LongStream.Builder> bySource = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            FoundRow found = rows.get(i);
            bySource.computeIfAbsent(found.source(), any -> LongStream.builder())
                    .add((long) found.row() << Integer.SIZE | i);
        }
        List<List<Vector>> parts = new ArrayList<>();
        columns.forEach(column -> parts.add(new ArrayList<>()));
        int[] places = new int[rows.size()];
        int place = 0;
        for (Map.Entry<RowSource, LongStream.Builder> entry : bySource.entrySet()) {
            // In the order of their numbers in the LogBlock, each with its index in the answer
            long[] ascending = entry.getValue().build().sorted().toArray();
            int[] numbers = new int[ascending.length];
            for (int i = 0; i < ascending.length; i++) {
                numbers[i] = (int) (ascending[i] >> Integer.SIZE);
                places[(int) ascending[i]] = place++;
            }
            List<Vector> vectors = values(entry.getKey(), columns, numbers);
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
