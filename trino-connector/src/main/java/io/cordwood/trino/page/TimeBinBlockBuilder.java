package io.cordwood.trino.page;

import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import java.util.Arrays;

/** Builds a block of values of a time bin, with one entry for each run of equal values. Not thread-safe. */
final class TimeBinBlockBuilder {
    private final TimeBinBlocks blocks;
    private final int[] ids;
    private long[] values = new long[16];
    private int distinct;
    private int size;

    /** @param capacity maximum number of values */
    TimeBinBlockBuilder(TimeBinBlocks blocks, int capacity) {
        this.blocks = blocks;
        this.ids = new int[capacity];
    }

    /** Adds a value, in milliseconds since the epoch, {@code count} times. */
    void add(long millis, int count) {
        if (distinct == 0 || values[distinct - 1] != millis) {
            if (distinct == values.length) {
                values = Arrays.copyOf(values, distinct * 2);
            }
            values[distinct++] = millis;
        }
        Arrays.fill(ids, size, size + count, distinct - 1);
        size += count;
    }

    /** Whether {@code count} more values fit. */
    boolean fits(int count) {
        return size + count <= ids.length;
    }

    /** Builds the block, which must have at least one value. */
    Block build() {
        return distinct == 1
                ? blocks.run(values[0], size)
                : DictionaryBlock.create(size, blocks.values(values, distinct), ids);
    }
}
