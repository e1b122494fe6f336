package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code attributes} of {@code all_tenants}: the stored map, and as text the overflow columns, which have no
 * column of their own there. Not thread-safe.
 */
final class OverflowReader implements ColumnReader {
    private final List<Column> columns;
    private final List<ColumnCursor> cursors;

    private OverflowReader(List<Column> columns, List<ColumnCursor> cursors) {
        this.columns = columns;
        this.cursors = cursors;
    }

    static OverflowReader of(LogBlockScan scan, List<Column> columns) throws IOException {
        List<ColumnCursor> cursors = new ArrayList<>();
        for (Column column : columns) {
            cursors.add(scan.cursor(column));
        }
        return new OverflowReader(columns, cursors);
    }

    @Override
    public Vector read(int[] rows, int from, int count) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        for (ColumnCursor cursor : cursors) {
            vectors.add(cursor.read(rows, from, count));
        }
        Texts keys = new Texts();
        Texts values = new Texts();
        int[] offsets = new int[count + 1];
        NullMask nulls = new NullMask(count);
        for (int row = 0; row < count; row++) {
            Map<String, String> entries = entries(vectors, row);
            entries.forEach((key, value) -> {
                keys.add(key);
                values.add(value);
            });
            offsets[row + 1] = keys.size();
            if (entries.isEmpty()) {
                nulls.set(row);
            }
        }
        return new MapVector(offsets, keys.toVector(), values.toVector(), count, nulls);
    }

    private Map<String, String> entries(List<Vector> vectors, int row) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = 0; i < vectors.size(); i++) {
            Vector vector = vectors.get(i);
            if (vector.isNull(row)) {
                continue;
            }
            if (columns.get(i).type() == ColumnType.MAP) {
                MapVector map = (MapVector) vector;
                for (int entry = map.entryOffsets()[row]; entry < map.entryOffsets()[row + 1]; entry++) {
                    entries.put(
                            freeKey(entries, map.keys().string(entry)),
                            map.values().isNull(entry) ? null : map.values().string(entry));
                }
            } else {
                entries.put(
                        freeKey(entries, columns.get(i).name()),
                        Vectors.text(vector, columns.get(i).type(), row));
            }
        }
        return entries;
    }

    /**
     * A key for an overflow column. The row's own attribute of that name stays: a later member, or all digits of a
     * number.
     */
    private static String freeKey(Map<String, String> entries, String name) {
        String key = name;
        for (int number = 2; entries.containsKey(key); number++) {
            key = name + "#" + number;
        }
        return key;
    }

    /** A builder of a vector of strings. */
    private static final class Texts {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<Integer> nulls = new ArrayList<>();
        private int[] offsets = new int[64];
        private int size;

        void add(String text) {
            if (text == null) {
                nulls.add(size);
            } else {
                bytes.writeBytes(text.getBytes(UTF_8));
            }
            size++;
            if (size == offsets.length) {
                offsets = Arrays.copyOf(offsets, size * 2);
            }
            offsets[size] = bytes.size();
        }

        int size() {
            return size;
        }

        StringVector toVector() {
            NullMask mask = new NullMask(size);
            nulls.forEach(mask::set);
            return StringVector.plain(bytes.toByteArray(), offsets, size, mask);
        }
    }
}
