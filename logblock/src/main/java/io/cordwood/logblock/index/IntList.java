package io.cordwood.logblock.index;

import java.util.Arrays;

/** A growing list of ints in blocks. Growing copies nothing beyond the first block. Not thread-safe. */
final class IntList {
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK = 1 << BLOCK_BITS;
    private static final int FIRST = 1 << 8;

    private int[][] blocks = new int[4][];
    private int size;

    void add(int value) {
        int block = size >>> BLOCK_BITS;
        int at = size & (BLOCK - 1);
        if (at == 0) {
            if (block == blocks.length) {
                blocks = Arrays.copyOf(blocks, 2 * block);
            }
            blocks[block] = new int[block == 0 ? FIRST : BLOCK];
        } else if (at == blocks[block].length) {
            blocks[block] = Arrays.copyOf(blocks[block], 2 * at);
        }
        blocks[block][at] = value;
        size++;
    }

    int at(int index) {
        return blocks[index >>> BLOCK_BITS][index & (BLOCK - 1)];
    }

    /** The place of a value in an ascending list, or {@code -1}. */
    int find(int value) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle) < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size && at(low) == value ? low : -1;
    }

    int size() {
        return size;
    }
}
