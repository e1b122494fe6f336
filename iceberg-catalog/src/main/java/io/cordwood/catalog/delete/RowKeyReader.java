package io.cordwood.catalog.delete;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the values of some columns row by row, as objects whose equality is that of Iceberg's values. Stateless. */
final class RowKeyReader {
    private static final int BATCH = 8192;

    private RowKeyReader() {}

    /** Receives a row's values. */
    @FunctionalInterface
    interface Consumer {
        void accept(int row, List<Object> values);
    }

    /** Reads all rows; a column that the file lacks is null. */
    static void read(LogBlock file, List<Column> columns, Consumer consumer) throws IOException {
        List<ColumnCursor> cursors = new ArrayList<>();
        for (Column column : columns) {
            cursors.add(file.cursor(column, new ReadMetrics()));
        }
        int[] rows = new int[file.rowCount()];
        Arrays.setAll(rows, row -> row);
        for (int from = 0; from < rows.length; from += BATCH) {
            int count = Math.min(BATCH, rows.length - from);
            List<Vector> vectors = new ArrayList<>();
            for (ColumnCursor cursor : cursors) {
                vectors.add(cursor.read(rows, from, count));
            }
            for (int i = 0; i < count; i++) {
                Object[] values = new Object[vectors.size()];
                for (int column = 0; column < values.length; column++) {
                    values[column] = value(vectors.get(column), i);
                }
                // A null equals a null
                consumer.accept(from + i, Arrays.asList(values));
            }
        }
    }

    private static Object value(Vector vector, int position) {
        if (vector.isNull(position)) {
            return null;
        }
        return switch (vector) {
            case LongVector longs -> longs.values()[position];
            case DoubleVector doubles -> doubles.values()[position];
            case BooleanVector booleans -> booleans.values()[position];
            case StringVector strings -> strings.string(position);
            case MapVector maps -> throw new IllegalArgumentException("Maps have no equality");
        };
    }
}
