package io.cordwood.logblock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Pages to be fetched together, cut so that memory stays bounded. Not thread-safe. */
final class PageBatches {
    private static final int BATCH = 64;

    private final int[] pages;
    private int count;

    PageBatches(int capacity) {
        this.pages = new int[capacity];
    }

    void add(int page) {
        pages[count++] = page;
    }

    List<int[]> all() {
        List<int[]> batches = new ArrayList<>();
        for (int from = 0; from < count; from += BATCH) {
            batches.add(Arrays.copyOfRange(pages, from, Math.min(count, from + BATCH)));
        }
        return batches;
    }
}
