package io.cordwood.logblock.scan;

import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.PageBytes;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.util.FixedBitSet;

/**
 * One pass over rows of a LogBlock for which a predicate is true, stretch by stretch: whoever has enough rows stops,
 * and a column block that a condition was tested on is not decoded again for its values. Not thread-safe; any number of
 * scans of one LogBlock may run at once.
 */
public final class LogBlockScan {
    private static final int FIRST_STRETCH = 4096;
    private static final int MAX_STRETCH = 1 << 15;
    /** Without values to hold, more rows at once mean fewer requests for what they hold. */
    private static final int MAX_INDEXED_STRETCH = 1 << 18;
    /** Bytes of values beyond which a round trip costs less than the memory. */
    private static final long MAX_PREFETCHED = 8 << 20;

    private final LogBlock logBlock;
    private final ParquetFile file;
    private final RowRange window;
    private final Predicate predicate;
    private final ScanDirection wanted;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private int maxStretch = MAX_STRETCH;
    private int maxIndexedStretch = MAX_INDEXED_STRETCH;
    private final PageBuffers buffers = new PageBuffers();
    private final Map<Integer, PageReader> readers = new HashMap<>();
    private Optional<IndexAnswers> index;
    private RowRange stretch;
    private RowRange rest;
    private int nextStretch;

    LogBlockScan(
            LogBlock logBlock,
            ParquetFile file,
            Optional<IndexReader> index,
            RowRange window,
            Predicate predicate,
            ScanDirection wanted,
            ReadOptions options,
            ReadMetrics metrics) {
        this.logBlock = logBlock;
        this.file = file;
        this.window = window;
        this.predicate = predicate;
        this.wanted = wanted;
        this.options = options;
        this.metrics = metrics;
        this.index = index.map(reader -> new IndexAnswers(file, reader, window));
        this.stretch = new RowRange(window.from(), window.from());
        this.rest = window;
        this.nextStretch = wanted == ScanDirection.ALL ? MAX_STRETCH : FIRST_STRETCH;
    }

    private LogBlockScan(LogBlockScan whole, RowRange rows) {
        this.logBlock = whole.logBlock;
        this.file = whole.file;
        this.window = whole.window;
        this.predicate = whole.predicate;
        this.wanted = whole.wanted;
        this.options = whole.options;
        this.metrics = whole.metrics;
        this.index = whole.index;
        this.stretch = new RowRange(rows.from(), rows.from());
        this.rest = rows;
        this.nextStretch = whole.nextStretch;
    }

    /**
     * The same scan over some of its rows, for another thread: what the index says is looked up once for all parts.
     * Parts are made before any is begun.
     *
     * @param rows within those of this scan
     */
    public LogBlockScan part(RowRange rows) {
        return new LogBlockScan(this, rows);
    }

    /** Looks at other numbers of rows at once; for tests. */
    LogBlockScan withStretches(int first, int max) {
        nextStretch = first;
        maxStretch = max;
        maxIndexedStretch = max;
        return this;
    }

    /** The wanted rows of the next stretch, possibly none; empty when all stretches are done. */
    public Optional<RowSet> next() throws IOException {
        if (rest.isEmpty()) {
            return Optional.empty();
        }
        int length = Math.min(rest.length(), nextStretch);
        stretch = wanted == ScanDirection.LAST
                ? new RowRange(rest.to() - length, rest.to())
                : new RowRange(rest.from(), rest.from() + length);
        rest = wanted == ScanDirection.LAST
                ? new RowRange(rest.from(), stretch.from())
                : new RowRange(stretch.to(), rest.to());
        readers.values().forEach(reader -> reader.forget(stretch));
        return Optional.of(select());
    }

    /**
     * Fetches what columns hold at rows of the last stretch, in one request for all: over object storage each request
     * is a round trip. Without it, or if that were many bytes, each column is fetched when it is read.
     */
    public void prefetch(List<Column> columns, int[] rows) throws IOException {
        Map<PageReader, ParquetFile.PageRequest> requests = new LinkedHashMap<>();
        for (Column column : columns) {
            if (file.contains(column)) {
                PageReader reader = reader(column);
                reader.request(reader.pagesOf(rows, 0, rows.length))
                        .ifPresent(request -> requests.put(reader, request));
            }
        }
        long valueBytes = 0;
        for (Map.Entry<PageReader, ParquetFile.PageRequest> request : requests.entrySet()) {
            for (int page : request.getValue().pages()) {
                valueBytes += request.getKey().pages().valueBytes(page);
            }
        }
        if (valueBytes > MAX_PREFETCHED) {
            return;
        }
        Map<ParquetFile.LeafPage, PageBytes> bytes = file.fetch(List.copyOf(requests.values()), metrics);
        requests.forEach((reader, request) -> reader.give(request, bytes));
    }

    /** The wanted rows of all stretches that are left, at once. */
    public RowSet all() throws IOException {
        RowRange rows = rest;
        FixedBitSet bits = new FixedBitSet(rows.length());
        for (Optional<RowSet> next = next(); next.isPresent(); next = next()) {
            next.get().addTo(bits, rows.from());
        }
        return new RowSet(rows.from(), bits);
    }

    /** The rows that were looked at last: {@link #next} gave some of them. */
    public RowRange stretch() {
        return stretch;
    }

    /** Bytes of the column blocks that stay decoded. */
    public long retainedBytes() {
        return buffers.retainedBytes()
                + readers.values().stream().mapToLong(PageReader::retainedBytes).sum();
    }

    private RowSet select() throws IOException {
        if (index.isEmpty()) {
            return selectAndGrow();
        }
        try {
            return logBlock.metered(metrics, this::selectAndGrow);
        } catch (CorruptIndexException | EOFException | RuntimeException e) {
            index = Optional.empty();
            RowSet scanned = selectAndGrow();
            // The values could be read, so it was the index that could not.
            logBlock.forgetIndex(e, metrics);
            return scanned;
        }
    }

    private RowSet selectAndGrow() throws IOException {
        RowSelector selector = new RowSelector(file, index, this::reader, options, metrics, window, stretch);
        RowSet found = selector.select(predicate);
        nextStretch = selector.hasReadValues()
                ? Math.min(maxStretch, 2 * nextStretch)
                : Math.min(maxIndexedStretch, 4 * nextStretch);
        return found;
    }

    private PageReader reader(Column column) throws IOException {
        PageReader reader = readers.get(column.fieldId());
        if (reader == null) {
            reader = new PageReader(file, column, buffers, metrics);
            readers.put(column.fieldId(), reader);
        }
        return reader;
    }

    /**
     * A cursor over a column of the table; one that this file lacks reads as null. It shares what it reads with the
     * scan, so it is to be asked for rows of the last stretch.
     */
    public ColumnCursor cursor(Column column) throws IOException {
        return new ColumnCursor(column, file.contains(column) ? Optional.of(reader(column)) : Optional.empty());
    }
}
