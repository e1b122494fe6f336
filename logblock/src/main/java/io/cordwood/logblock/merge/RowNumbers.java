package io.cordwood.logblock.merge;

import java.util.Arrays;

/** A growing array of row numbers. Not thread-safe. */
final class RowNumbers {
    private int[] rows = new int[1 << 10];
    private int size;

    void add(int row) {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, 2 * size);
        }
        rows[size++] = row;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    int[] toArray() {
        return Arrays.copyOf(rows, size);
    }
}
