package io.cordwood.ingest;

import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.LogBlockSchema;
import io.cordwood.logblock.LongVector;
import io.cordwood.logblock.Predicate;
import io.cordwood.logblock.RangeReader;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.ReadOptions;
import io.cordwood.logblock.TimeRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
        ReadMetrics metrics = new ReadMetrics();
        try (LogBlock block = LogBlock.open(file, metrics)) {
            int[] rows = block.select(TimeRange.ALL, Predicate.TRUE, ReadOptions.DEFAULTS, metrics)
                    .toArray();
            LongVector values = (LongVector)
                    block.cursor(schema.column(column).orElseThrow(), metrics).read(rows, 0, rows.length);
            return Arrays.copyOf(values.values(), rows.length);
        }
    }
}
