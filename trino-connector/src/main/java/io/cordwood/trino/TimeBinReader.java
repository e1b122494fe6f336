package io.cordwood.trino;

import io.cordwood.logblock.vector.LongVector;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.TypeUtils;

/** Values of a time bin beside values of other columns. Not thread-safe. */
final class TimeBinReader {
    private TimeBinReader() {}

    /** Of rows in time order: a dictionary block with an entry for each run. */
    static BlockReader ofRuns(TimeBinRuns runs, TimeBin bin) {
        TimeBinBlocks blocks = new TimeBinBlocks(bin);
        return (rows, from, count) -> {
            TimeBinBlockBuilder builder = new TimeBinBlockBuilder(blocks, count);
            for (int i = 0; i < count; i++) {
                runs.seek(rows[from + i]);
                builder.add(runs.millis(), 1);
            }
            return builder.build();
        };
    }

    /** Of rows in any order, from their times. */
    static BlockReader ofTimes(ColumnReader times, TimeBin bin) {
        return (rows, from, count) -> {
            LongVector micros = (LongVector) times.read(rows, from, count);
            BlockBuilder builder = bin.type().createBlockBuilder(null, count);
            for (int i = 0; i < count; i++) {
                if (micros.isNull(i)) {
                    builder.appendNull();
                } else {
                    TypeUtils.writeNativeValue(bin.type(), builder, bin.value(bin.millis(micros.values()[i])));
                }
            }
            return builder.build();
        };
    }
}
