package io.cordwood.trino.page;

import io.cordwood.logblock.vector.LongVector;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TimeBinRuns;
import io.trino.spi.block.BlockBuilder;

/** Readers of the values of a time bin alongside other columns. Not thread-safe. */
final class TimeBinReader {
    private TimeBinReader() {}

    /** A reader for rows in time order: it returns a dictionary block with an entry for each run. */
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

    /** A reader for rows in any order, from their times. */
    static BlockReader ofTimes(ColumnReader times, TimeBin bin) {
        TimeBinBlocks blocks = new TimeBinBlocks(bin);
        return (rows, from, count) -> {
            LongVector micros = (LongVector) times.read(rows, from, count);
            BlockBuilder builder = blocks.newBuilder(count);
            for (int i = 0; i < count; i++) {
                if (micros.isNull(i)) {
                    builder.appendNull();
                } else {
                    blocks.append(builder, bin.millis(micros.values()[i]));
                }
            }
            return builder.build();
        };
    }
}
