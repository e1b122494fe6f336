package io.cordwood.trino.page;

import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TimeBinCounts;
import io.trino.spi.block.Block;
import java.io.IOException;

/**
 * Blocks of the values of a time bin at the selected rows, without reading the rows: a bin of many rows is one
 * run-length block, and bins of few rows share a dictionary block. Not thread-safe.
 */
final class TimeBinPages {
    private static final int MAX_DICTIONARY_ROWS = 8192;
    /** The minimum size of a run for a page of its own. */
    private static final int MIN_RUN_ROWS = 512;

    private final TimeBinCounts bins;
    private final TimeBinBlocks blocks;

    TimeBinPages(TimeBinCounts bins, TimeBin bin) throws IOException {
        this.bins = bins;
        this.blocks = new TimeBinBlocks(bin);
        bins.advance();
    }

    /** The next values; an empty block at the end. */
    Block next() throws IOException {
        if (bins.count() >= MIN_RUN_ROWS || bins.count() == 0) {
            Block run = blocks.run(bins.millis(), bins.count());
            bins.advance();
            return run;
        }
        TimeBinBlockBuilder builder = new TimeBinBlockBuilder(blocks, MAX_DICTIONARY_ROWS);
        while (bins.count() > 0 && bins.count() < MIN_RUN_ROWS && builder.fits(bins.count())) {
            builder.add(bins.millis(), bins.count());
            bins.advance();
        }
        return builder.build();
    }
}
