package io.cordwood.logblock;

import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads column blocks of one column for one pass over rows. What a condition was tested on is often what the query
 * wants next: such blocks stay decoded until {@link #forget}, up to a limit in bytes. Not thread-safe.
 */
final class PageReader {
    private static final long MAX_KEPT = 16 << 20;

    private final ParquetFile file;
    private final Column column;
    private final PageBuffers buffers;
    private final ReadMetrics metrics;
    private final ColumnPages pages;
    private final Map<Integer, Vector> kept = new HashMap<>();
    private long keptBytes;

    /** @param column one that the file contains */
    PageReader(ParquetFile file, Column column, PageBuffers buffers, ReadMetrics metrics) throws IOException {
        this.file = file;
        this.column = column;
        this.buffers = buffers;
        this.metrics = metrics;
        this.pages = file.pages(column);
    }

    ColumnPages pages() {
        return pages;
    }

    /**
     * Hands out pages in their order. A consumer must not hold on to values: their memory is used again.
     *
     * @param wanted page numbers, ascending
     * @param keepFrom pages from this one on stay decoded
     */
    void read(int[] wanted, int keepFrom, ParquetFile.PageConsumer consumer) throws IOException {
        int[] missing =
                Arrays.stream(wanted).filter(page -> !kept.containsKey(page)).toArray();
        int[] delivered = {0};
        for (int[] batch : PageBatches.of(pages, missing)) {
            file.read(column, batch, buffers, metrics, (page, values) -> {
                while (wanted[delivered[0]] != page) {
                    deliverKept(wanted[delivered[0]++], consumer);
                }
                delivered[0]++;
                consumer.accept(page, values);
                if (page >= keepFrom && keptBytes + size(page) <= MAX_KEPT) {
                    kept.put(page, values);
                    keptBytes += size(page);
                } else {
                    release(values);
                }
            });
        }
        while (delivered[0] < wanted.length) {
            deliverKept(wanted[delivered[0]++], consumer);
        }
    }

    private void deliverKept(int page, ParquetFile.PageConsumer consumer) throws IOException {
        consumer.accept(page, kept.get(page));
    }

    /** Lets go of the pages that lie wholly outside of these rows. */
    void forget(RowRange rows) {
        kept.entrySet().removeIf(page -> {
            boolean outside = pages.endRow(page.getKey()) <= rows.from() || pages.firstRow(page.getKey()) >= rows.to();
            if (outside) {
                keptBytes -= size(page.getKey());
                release(page.getValue());
            }
            return outside;
        });
    }

    long keptBytes() {
        return keptBytes;
    }

    private long size(int page) {
        return pages.valueBytes(page) + (long) Long.BYTES * pages.rows(page);
    }

    private void release(Vector values) {
        if (values instanceof StringVector strings && !strings.isDictionary()) {
            buffers.give(strings.bytes());
        }
    }
}
