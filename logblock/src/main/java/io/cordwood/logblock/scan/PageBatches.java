package io.cordwood.logblock.scan;

import io.cordwood.logblock.parquet.ColumnPages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts pages into such as are fetched together, so that their number and their values' bytes stay bounded. Stateless.
 */
final class PageBatches {
    private static final int MAX_PAGES = 64;
    private static final long MAX_BYTES = 32 << 20;

    private PageBatches() {}

    static List<int[]> of(ColumnPages pages, int[] wanted) {
        List<int[]> batches = new ArrayList<>();
        int first = 0;
        long bytes = 0;
        for (int i = 0; i < wanted.length; i++) {
            long size = pages.valueBytes(wanted[i]);
            if (i > first && (i - first == MAX_PAGES || bytes + size > MAX_BYTES)) {
                batches.add(Arrays.copyOfRange(wanted, first, i));
                first = i;
                bytes = 0;
            }
            bytes += size;
        }
        if (first < wanted.length) {
            batches.add(Arrays.copyOfRange(wanted, first, wanted.length));
        }
        return batches;
    }
}
