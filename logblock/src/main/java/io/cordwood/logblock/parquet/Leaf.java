package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.RleEncoding;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.Type;

/** A Parquet leaf column of a row group: its place in the schema, its levels and its values. Not thread-safe. */
abstract class Leaf {
    final Column column;
    final List<String> path;
    final int fieldId;
    final ValueEncoder encoder;

    Leaf(Column column, List<String> path, int fieldId, ValueEncoder encoder) {
        this.column = column;
        this.path = path;
        this.fieldId = fieldId;
        this.encoder = encoder;
    }

    /** The leaves of a column: one, or keys and values of a map. */
    static List<Leaf> of(Column column, Vector vector, Optional<StringDictionary> dictionary) {
        if (vector instanceof MapVector map) {
            return List.of(
                    new MapLeaf(column, ParquetSchema.keyPath(column), column.keyFieldId(), map, map.keys(), 2),
                    new MapLeaf(column, ParquetSchema.valuePath(column), column.valueFieldId(), map, map.values(), 3));
        }
        return List.of(new FlatLeaf(column, vector, ValueEncoders.of(column, vector, dictionary)));
    }

    Type physicalType() {
        return ParquetSchema.physicalType(column.type());
    }

    /** Writes repetition and definition levels of the rows {@code [from, to)}. */
    abstract void writeLevels(int from, int to, ByteSink out);

    /** The number of entries of the rows, nulls included. */
    abstract int entryCount(int from, int to);

    abstract int nullCount(int from, int to);

    /** The position in the vector of a row's first value. */
    abstract int valueStart(int row);

    /** The uncompressed size of a row's values. */
    int sizeOf(int row) {
        int size = 0;
        for (int i = valueStart(row); i < valueStart(row + 1); i++) {
            size += encoder.sizeOf(i);
        }
        return size;
    }

    static void writeRunLengthLevels(int[] levels, int count, int max, ByteSink out) {
        int lengthAt = out.size();
        out.writeInt(0);
        RleEncoding.encode(levels, 0, count, RleEncoding.bitWidth(max), out);
        out.putInt(lengthAt, out.size() - lengthAt - Integer.BYTES);
    }

    /** A column that is not nested. */
    private static final class FlatLeaf extends Leaf {
        private final Vector vector;

        FlatLeaf(Column column, Vector vector, ValueEncoder encoder) {
            super(column, List.of(ParquetSchema.name(column.name())), column.fieldId(), encoder);
            this.vector = vector;
        }

        @Override
        void writeLevels(int from, int to, ByteSink out) {
            if (column.required()) {
                return;
            }
            int[] levels = new int[to - from];
            for (int i = from; i < to; i++) {
                levels[i - from] = vector.isNull(i) ? 0 : 1;
            }
            writeRunLengthLevels(levels, levels.length, 1, out);
        }

        @Override
        int entryCount(int from, int to) {
            return to - from;
        }

        @Override
        int nullCount(int from, int to) {
            if (vector.nulls().isEmpty()) {
                return 0;
            }
            int count = 0;
            for (int i = from; i < to; i++) {
                count += vector.isNull(i) ? 1 : 0;
            }
            return count;
        }

        @Override
        int valueStart(int row) {
            return row;
        }
    }

    /** Keys or values of a map. */
    private static final class MapLeaf extends Leaf {
        private final MapVector map;
        private final Vector entries;
        private final int maxDefinition;

        MapLeaf(Column column, List<String> path, int fieldId, MapVector map, StringVector entries, int maxDefinition) {
            super(column, path, fieldId, new StringEncoder(entries, StringDictionary.build(entries), false));
            this.map = map;
            this.entries = entries;
            this.maxDefinition = maxDefinition;
        }

        @Override
        void writeLevels(int from, int to, ByteSink out) {
            int count = entryCount(from, to);
            int[] repetition = new int[count];
            int[] definition = new int[count];
            int n = 0;
            for (int row = from; row < to; row++) {
                int start = valueStart(row);
                int end = valueStart(row + 1);
                if (start == end) {
                    definition[n++] = map.isNull(row) ? 0 : 1;
                }
                for (int i = start; i < end; i++) {
                    repetition[n] = i == start ? 0 : 1;
                    definition[n++] = entries.isNull(i) ? 2 : maxDefinition;
                }
            }
            writeRunLengthLevels(repetition, count, 1, out);
            writeRunLengthLevels(definition, count, maxDefinition, out);
        }

        @Override
        int entryCount(int from, int to) {
            int count = 0;
            for (int row = from; row < to; row++) {
                count += Math.max(1, valueStart(row + 1) - valueStart(row));
            }
            return count;
        }

        @Override
        int nullCount(int from, int to) {
            int count = entryCount(from, to);
            for (int i = valueStart(from); i < valueStart(to); i++) {
                count -= entries.isNull(i) ? 0 : 1;
            }
            return count;
        }

        @Override
        int valueStart(int row) {
            return map.entryOffsets()[row];
        }

        /** The size of keys and values together, so that the pages of both end at the same rows. */
        @Override
        int sizeOf(int row) {
            int size = 0;
            for (int i = valueStart(row); i < valueStart(row + 1); i++) {
                size += sizeOf(map.keys(), i) + sizeOf(map.values(), i);
            }
            return size;
        }

        private static int sizeOf(StringVector vector, int position) {
            if (vector.isNull(position)) {
                return 0;
            }
            int slot = vector.slot(position);
            return Integer.BYTES + vector.offsets()[slot + 1] - vector.offsets()[slot];
        }
    }
}
