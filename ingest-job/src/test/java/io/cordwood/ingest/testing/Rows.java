package io.cordwood.ingest.testing;

import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
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
import java.util.Map;
import java.util.TreeMap;

/** Reads LogBlocks back. */
final class Rows {
    private Rows() {}

    /** {@code partition/offset/ordinal} of each row. */
    static List<String> identities(RangeReader file, LogBlockSchema schema) throws IOException {
        long[] partitions = longs(file, schema, LogBlockSchema.KAFKA_PARTITION);
        long[] offsets = longs(file, schema, LogBlockSchema.KAFKA_OFFSET);
        long[] ordinals = longs(file, schema, LogBlockSchema.KAFKA_ORDINAL);
        List<String> identities = new ArrayList<>();
        for (int i = 0; i < offsets.length; i++) {
            identities.add("%d/%06d/%d".formatted(partitions[i], offsets[i], ordinals[i]));
        }
        return identities;
    }

    /** The values of a column that has no nulls. */
    static long[] longs(RangeReader file, LogBlockSchema schema, String column) throws IOException {
        LongVector values = (LongVector) values(file, schema, column);
        return Arrays.copyOf(values.values(), values.length());
    }

    /** The values of a column, as text. */
    static List<String> texts(RangeReader file, LogBlockSchema schema, String column) throws IOException {
        Vector values = values(file, schema, column);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < values.length(); i++) {
            texts.add(values.isNull(i) ? "null" : text(values, i));
        }
        return texts;
    }

    private static String text(Vector vector, int position) {
        return switch (vector) {
            case LongVector longs -> Long.toString(longs.values()[position]);
            case DoubleVector doubles -> Double.toString(doubles.values()[position]);
            case BooleanVector booleans -> Boolean.toString(booleans.values()[position]);
            case StringVector strings -> strings.string(position);
            case MapVector map -> {
                Map<String, String> entries = new TreeMap<>();
                for (int i = map.entryOffsets()[position]; i < map.entryOffsets()[position + 1]; i++) {
                    entries.put(map.keys().string(i), map.values().string(i));
                }
                yield entries.toString();
            }
        };
    }

    private static Vector values(RangeReader file, LogBlockSchema schema, String column) throws IOException {
        ReadMetrics metrics = new ReadMetrics();
        try (LogBlock block = LogBlock.open(file, metrics)) {
            int[] rows = block.select(TimeRange.ALL, Predicate.TRUE, ReadOptions.DEFAULTS, metrics)
                    .toArray();
            return block.cursor(schema.column(column).orElseThrow(), metrics).read(rows, 0, rows.length);
        }
    }
}
