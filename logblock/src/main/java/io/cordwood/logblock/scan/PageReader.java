package io.cordwood.logblock.scan;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.PageBytes;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of one column's column blocks for one scan. A query often reads the blocks that a condition was tested on,
 * so they stay decoded until {@link #forget}, up to a limit in bytes. Not thread-safe.
 */
final class PageReader {
    private static final long MAX_KEPT = 16 << 20;
    private static final long MAX_FETCHED_AHEAD = 1 << 20;

    private final ParquetFile file;
    private final Column column;
    private final PageBuffers buffers;
    private final ReadMetrics metrics;
    private final ColumnPages pages;
    private final Map<Integer, Kept> kept = new HashMap<>();
    /** The kept pages that stay until they are forgotten. */
    private final BitSet staying = new BitSet();
    /** Pages that are not cached; cleared when they are decoded. */
    private final BitSet missed = new BitSet();
    /** How many of the first rows of each page are needed. */
    private final int[] wanted;

    private final Map<ParquetFile.LeafPage, PageBytes> fetched = new HashMap<>();
    private final boolean isWhole;
    private long keptBytes;
    private long fetchedBytes;

    /**
     * A decoded page, or its first rows, and its approximate memory.
     *
     * @param shared whether other scans may read it too
     */
    private record Kept(Vector values, long bytes, boolean shared) {}

    /**
     * @param column a column that the file contains
     * @param isWhole whether pages are decoded whole at once, for all of their rows will be read
     */
    PageReader(ParquetFile file, Column column, PageBuffers buffers, boolean isWhole, ReadMetrics metrics)
            throws IOException {
        this.file = file;
        this.column = column;
        this.buffers = buffers;
        this.metrics = metrics;
        this.pages = file.pages(column);
        this.wanted = new int[pages.count()];
        this.isWhole = isWhole;
    }

    ColumnPages pages() {
        return pages;
    }

    /** Says that this row of a page will be read. */
    void want(int page, int row) {
        wanted[page] = isWhole ? pages.rows(page) : Math.max(wanted[page], row + 1 - pages.firstRow(page));
    }

    /**
     * Passes pages to the consumer, in their order, up to the last wanted row of each at least. The consumer must not
     * keep the values, because their memory is reused.
     *
     * @param requested page numbers, ascending; of each a row is wanted
     * @param keepFrom first page that stays decoded
     */
    void read(int[] requested, int keepFrom, ParquetFile.PageConsumer consumer) throws IOException {
        for (int[] batch : PageBatches.of(pages, requested)) {
            fetch(batch);
            for (int page : batch) {
                if (!kept.containsKey(page)) {
                    keep(page, decode(page));
                }
                consumer.accept(page, kept.get(page).values());
                // A page of another program may exceed the limit alone, and is expensive to decode
                if (page >= keepFrom && (keptBytes <= MAX_KEPT || kept.size() == 1)) {
                    staying.set(page);
                }
                if (!staying.get(page)) {
                    release(kept.remove(page));
                    drop(page);
                    wanted[page] = 0;
                }
            }
        }
    }

    private Kept decode(int page) throws IOException {
        Vector values = file.decode(column, page, wanted[page], fetched, buffers);
        missed.clear(page);
        // The rest of the page may be needed too
        if (values.length() == pages.rows(page)) {
            drop(page);
        }
        return new Kept(values, Vectors.retainedBytes(values), file.cache(column, page, values));
    }

    /** Drops the fetched bytes of a page. */
    private void drop(int page) {
        for (int leafId : ParquetFile.leafIds(column)) {
            PageBytes bytes = fetched.remove(new ParquetFile.LeafPage(leafId, page));
            fetchedBytes -= bytes == null ? 0 : bytes.length();
        }
    }

    private void keep(int page, Kept decoded) {
        kept.put(page, decoded);
        keptBytes += decoded.bytes();
    }

    /**
     * Whether a page is decoded here, or in the shared cache, up to its last wanted row. A page that is not decoded far
     * enough is wanted whole: whoever reads it row by row would decode it for each.
     */
    private boolean isDecoded(int page) throws IOException {
        Kept known = kept.get(page);
        if (known != null) {
            if (known.values().length() >= wanted[page]) {
                return true;
            }
            kept.remove(page);
            staying.clear(page);
            release(known);
            wanted[page] = pages.rows(page);
        }
        if (missed.get(page)) {
            return false;
        }
        Optional<Vector> cached = file.cached(column, page, wanted[page], metrics);
        boolean isDecoded = cached.isPresent() && cached.get().length() >= wanted[page];
        if (isDecoded) {
            keep(page, new Kept(cached.get(), Vectors.retainedBytes(cached.get()), true));
        } else if (cached.isPresent()) {
            wanted[page] = pages.rows(page);
        }
        missed.set(page, !isDecoded);
        return isDecoded;
    }

    /** The pages of the rows {@code rows[from .. to)}, which are ascending. All of {@code rows} in them are wanted. */
    int[] pagesOf(int[] rows, int from, int to) {
        int[] requested = new int[Math.min(to - from, pages.count())];
        int count = 0;
        for (int i = from; i < to; ) {
            int page = pages.pageOf(rows[i]);
            requested[count++] = page;
            // Rows after these will be asked for next
            i = wantRows(page, rows, i);
        }
        return Arrays.copyOf(requested, count);
    }

    /** Says that {@code rows} from {@code from} on will be read, as far as they are in this page. Returns their end. */
    private int wantRows(int page, int[] rows, int from) {
        int end = from;
        while (end < rows.length && rows[end] < pages.endRow(page)) {
            end++;
        }
        want(page, rows[end - 1]);
        return end;
    }

    /**
     * If one of some pages is missing, fetches them together with pages of later rows, as far as these are small.
     *
     * @param requested pages of {@code rows} from {@code from} on, up to some row
     */
    void fetchAhead(int[] requested, int[] rows, int from) throws IOException {
        if (missing(requested).length == 0) {
            return;
        }
        int[] ahead = new int[pages.count()];
        int count = 0;
        long bytes = 0;
        for (int i = from; i < rows.length; ) {
            int page = pages.pageOf(rows[i]);
            bytes += size(page);
            if (bytes > MAX_FETCHED_AHEAD) {
                break;
            }
            ahead[count++] = page;
            i = wantRows(page, rows, i);
        }
        if (count > requested.length) {
            fetch(Arrays.copyOf(ahead, count));
        }
    }

    private void fetch(int[] pages) throws IOException {
        Optional<ParquetFile.PageRequest> request = request(pages);
        if (request.isPresent()) {
            give(request.get(), file.fetch(List.of(request.get()), metrics));
        }
    }

    private long size(int page) {
        return pages.valueBytes(page) + pages.rows(page);
    }

    /** A request for the missing ones of some pages; empty if none is missing. */
    Optional<ParquetFile.PageRequest> request(int[] pages) throws IOException {
        int[] missing = missing(pages);
        return missing.length == 0 ? Optional.empty() : Optional.of(new ParquetFile.PageRequest(column, missing));
    }

    /** Accepts fetched pages, which are decoded when they are read. */
    void give(ParquetFile.PageRequest request, Map<ParquetFile.LeafPage, PageBytes> bytes) {
        for (int page : request.pages()) {
            for (int leafId : ParquetFile.leafIds(column)) {
                ParquetFile.LeafPage leafPage = new ParquetFile.LeafPage(leafId, page);
                fetched.put(leafPage, bytes.get(leafPage));
                fetchedBytes += bytes.get(leafPage).length();
            }
        }
    }

    private int[] missing(int[] pages) throws IOException {
        int[] missing = new int[pages.length];
        int count = 0;
        for (int page : pages) {
            if (!isDecoded(page) && !isFetched(page)) {
                missing[count++] = page;
            }
        }
        return Arrays.copyOf(missing, count);
    }

    private boolean isFetched(int page) {
        return fetched.containsKey(new ParquetFile.LeafPage(ParquetFile.leafIds(column)[0], page));
    }

    /** Drops the pages that lie entirely outside these rows. */
    void forget(RowRange rows) {
        fetched.entrySet().removeIf(page -> {
            boolean outside = isOutside(page.getKey().page(), rows);
            if (outside) {
                missed.clear(page.getKey().page());
                fetchedBytes -= page.getValue().length();
            }
            return outside;
        });
        kept.entrySet().removeIf(page -> {
            boolean outside = isOutside(page.getKey(), rows);
            if (outside) {
                wanted[page.getKey()] = 0;
                staying.clear(page.getKey());
                release(page.getValue());
            }
            return outside;
        });
    }

    private boolean isOutside(int page, RowRange rows) {
        return pages.endRow(page) <= rows.from() || pages.firstRow(page) >= rows.to();
    }

    /** The memory of kept and fetched pages in bytes. */
    long retainedBytes() {
        return keptBytes + fetchedBytes;
    }

    private void release(Kept page) {
        keptBytes -= page.bytes();
        if (!page.shared() && page.values() instanceof StringVector strings && !strings.isDictionary()) {
            buffers.give(strings.bytes());
        }
    }
}
