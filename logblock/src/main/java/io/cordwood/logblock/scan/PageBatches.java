package io.cordwood.logblock.scan;

import io.cordwood.logblock.parquet.ColumnPages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits pages into batches to fetch together, which bound the number of pages and the bytes of their values.
 * Stateless.
 */
final class PageBatches {
    private static final int MAX_PAGES = 64;
    private static final long MAX_BYTES = 32 << 20;

    private PageBatches() {}

    static List<int[]> of(ColumnPages pages, int[] requested) {
        List<int[]> batches = new ArrayList<>();
        int first = 0;
        long bytes = 0;
        for (int i = 0; i < requested.length; i++) {
            long size = pages.valueBytes(requested[i]);
            if (i > first && (i - first == MAX_PAGES || bytes + size > MAX_BYTES)) {
                batches.add(Arrays.copyOfRange(requested, first, i));
                first = i;
                bytes = 0;
            }
            bytes += size;
        }
        if (first < requested.length) {
            batches.add(Arrays.copyOfRange(requested, first, requested.length));
        }
        return batches;
    }
}
