package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.encoding.XxHash64;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A checksum of a table's rows that does not depend on their order. Immutable.
 *
 * @param rows number of rows
 * @param offsets sum of their Kafka offsets
 * @param hash sum of a 64-bit hash of each row, all columns in it
 */
record RowSum(long rows, long offsets, long hash) {
    private static final int BATCH_ROWS = 8192;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /** Reads all rows of a table. */
    static RowSum of(TenantTable table) throws IOException {
        RowSum sum = new RowSum(0, 0, 0);
        for (TenantTable.Stored stored : table.blocks()) {
            sum = sum.plus(of(stored, table.schema()));
        }
        return sum;
    }

    private static RowSum of(TenantTable.Stored stored, LogBlockSchema schema) throws IOException {
        RowSum sum = new RowSum(0, 0, 0);
        ReadMetrics metrics = new ReadMetrics();
        try (LogBlock block = LogBlock.open(new FileRangeReader(stored.file()), metrics)) {
            List<ColumnCursor> cursors = new ArrayList<>();
            for (Column column : schema.columns()) {
                cursors.add(block.cursor(column, metrics));
            }
            for (int from = 0; from < block.rowCount(); from += BATCH_ROWS) {
                int[] rows = IntStream.range(from, Math.min(block.rowCount(), from + BATCH_ROWS))
                        .toArray();
                long[] hashes = new long[rows.length];
                long offsets = 0;
                for (int column = 0; column < cursors.size(); column++) {
                    Vector values = cursors.get(column).read(rows, 0, rows.length);
                    for (int row = 0; row < rows.length; row++) {
                        hashes[row] = mix(hashes[row] + column, values.isNull(row) ? 0 : 1 + hash(values, row));
                    }
                    if (schema.columns().get(column).name().equals(LogBlockSchema.KAFKA_OFFSET)) {
                        offsets = sum(((LongVector) values).values());
                    }
                }
                sum = sum.plus(new RowSum(rows.length, offsets, sum(hashes)));
            }
        }
        return sum;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    private static long hash(Vector values, int row) {
        return switch (values) {
            case LongVector v -> v.values()[row];
            case DoubleVector v -> Double.doubleToLongBits(v.values()[row]);
            case BooleanVector v -> v.values()[row] ? 1 : 2;
            case StringVector v -> hash(v, row);
            case MapVector v -> {
                long hash = 0;
                for (int entry = v.entryOffsets()[row]; entry < v.entryOffsets()[row + 1]; entry++) {
                    // The order of entries has no meaning
                    hash += mix(hash(v.keys(), entry), v.values().isNull(entry) ? 0 : 1 + hash(v.values(), entry));
                }
                yield hash;
            }
        };
    }

    private static long hash(StringVector values, int row) {
        int slot = values.slot(row);
        return XxHash64.hash(
                values.bytes(), values.offsets()[slot], values.offsets()[slot + 1] - values.offsets()[slot]);
    }

    private static long mix(long a, long b) {
        long mixed = (a ^ a >>> 29) * FACTOR + b;
        mixed = (mixed ^ mixed >>> 32) * FACTOR;
        return mixed ^ mixed >>> 31;
    }

    private RowSum plus(RowSum other) {
        return new RowSum(rows + other.rows, offsets + other.offsets, hash + other.hash);
    }
}
