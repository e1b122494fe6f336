package io.cordwood.logblock;

import io.cordwood.logblock.parquet.ColumnPages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Pages to be fetched and decoded together, cut so that their number and their values' bytes stay bounded. Not thread-safe. */
final class PageBatches {
    private static final int MAX_PAGES = 64;
    private static final long MAX_BYTES = 32 << 20;

    private final ColumnPages pages;
    private final List<int[]> closed = new ArrayList<>();
    private final int[] open = new int[MAX_PAGES];
    private int count;
    private long bytes;

    PageBatches(ColumnPages pages) {
        this.pages = pages;
    }

    void add(int page) {
        if (count == MAX_PAGES || count > 0 && bytes + pages.valueBytes(page) > MAX_BYTES) {
            close();
        }
        open[count++] = page;
        bytes += pages.valueBytes(page);
    }

    List<int[]> all() {
        close();
        return List.copyOf(closed);
    }

    private void close() {
        if (count > 0) {
            closed.add(Arrays.copyOf(open, count));
            count = 0;
            bytes = 0;
        }
    }
}
