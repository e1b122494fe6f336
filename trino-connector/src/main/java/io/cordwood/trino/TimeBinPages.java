package io.cordwood.trino;

import io.trino.spi.block.Block;
import java.io.IOException;

/**
 * The values of one time bin at the selected rows, without the rows: each bin of many rows is one run-length block, bins
 * of few rows share a dictionary block. Not thread-safe.
 */
final class TimeBinPages {
    private static final int MAX_DICTIONARY_ROWS = 8192;
    /** A run of fewer rows is not worth a page. */
    private static final int MIN_RUN_ROWS = 512;

    private final TimeBinRuns runs;
    private final SelectedRows rows;
    private final TimeBinBlocks blocks;
    private int next;
    /** The bin after the last page: its value and how many rows, 0 if there is none. */
    private long millis;

    private int count;

    TimeBinPages(TimeBinRuns runs, SelectedRows rows, TimeBin bin) throws IOException {
        this.runs = runs;
        this.rows = rows;
        this.blocks = new TimeBinBlocks(bin);
        this.next = rows.nextRow(0);
        advance();
    }

    /** The next values; an empty block at the end. */
    Block next() throws IOException {
        if (count >= MIN_RUN_ROWS || count == 0) {
            Block run = blocks.run(millis, count);
            advance();
            return run;
        }
        TimeBinBlockBuilder builder = new TimeBinBlockBuilder(blocks, MAX_DICTIONARY_ROWS);
        while (count > 0 && count < MIN_RUN_ROWS && builder.hasRoom(count)) {
            builder.add(millis, count);
            advance();
        }
        return builder.build();
    }

    /** Takes the next bin, which may be several runs. */
    private void advance() throws IOException {
        count = 0;
        while (next >= 0) {
            runs.seek(next);
            if (count > 0 && runs.millis() != millis) {
                return;
            }
            millis = runs.millis();
            count += rows.count(next, runs.end());
            next = rows.nextRow(runs.end());
        }
    }
}
