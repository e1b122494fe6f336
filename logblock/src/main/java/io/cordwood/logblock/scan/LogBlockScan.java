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
 * A scan for the rows of a LogBlock for which a predicate is true, batch by batch. A caller that has enough rows stops
 * early. Column blocks that a condition was tested on are not decoded again for the values of the tested rows. Not
 * thread-safe; any number of scans of one LogBlock may run concurrently.
 */
public final class LogBlockScan {
    private static final int FIRST_BATCH = 4096;
    private static final int MAX_BATCH = 1 << 15;
    /**
     * If the index alone answers, batches are larger: no values are held, and larger batches need fewer requests later.
     */
    private static final int MAX_INDEXED_BATCH = 1 << 18;
    /** The maximum bytes of prefetched values; beyond it, round trips cost less than the memory. */
    private static final long MAX_PREFETCHED = 8 << 20;

    private final LogBlock logBlock;
    private final ParquetFile file;
    private final RowRange window;
    private final Predicate predicate;
    private final ScanDirection direction;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private int maxBatch = MAX_BATCH;
    private int maxIndexedBatch = MAX_INDEXED_BATCH;
    private final PageBuffers buffers = new PageBuffers();
    private final Map<Integer, PageReader> readers = new HashMap<>();
    private Optional<IndexAnswers> index;
    private RowRange batch;
    private RowRange rest;
    private int nextBatch;

    LogBlockScan(
            LogBlock logBlock,
            ParquetFile file,
            Optional<IndexReader> index,
            RowRange window,
            Predicate predicate,
            ScanDirection direction,
            ReadOptions options,
            ReadMetrics metrics) {
        this.logBlock = logBlock;
        this.file = file;
        this.window = window;
        this.predicate = predicate;
        this.direction = direction;
        this.options = options;
        this.metrics = metrics;
        this.index = index.map(reader -> new IndexAnswers(file, reader, window));
        this.batch = new RowRange(window.from(), window.from());
        this.rest = window;
        this.nextBatch = direction == ScanDirection.ALL ? MAX_BATCH : FIRST_BATCH;
    }

    private LogBlockScan(LogBlockScan whole, RowRange rows) {
        this.logBlock = whole.logBlock;
        this.file = whole.file;
        this.window = whole.window;
        this.predicate = whole.predicate;
        this.direction = whole.direction;
        this.options = whole.options;
        this.metrics = whole.metrics;
        this.index = whole.index;
        this.batch = new RowRange(rows.from(), rows.from());
        this.rest = rows;
        this.nextBatch = whole.nextBatch;
    }

    /**
     * A part of this scan over some of its rows, for another thread. All parts share the lookups in the index. All
     * parts must be created before one begins.
     *
     * @param rows rows within those of this scan
     */
    public LogBlockScan part(RowRange rows) {
        return new LogBlockScan(this, rows);
    }

    /** Sets other batch sizes; for tests. */
    LogBlockScan withBatches(int first, int max) {
        nextBatch = first;
        maxBatch = max;
        maxIndexedBatch = max;
        return this;
    }

    /** The selected rows of the next batch, possibly none; empty after the last batch. */
    public Optional<RowSet> next() throws IOException {
        if (rest.isEmpty()) {
            return Optional.empty();
        }
        int length = Math.min(rest.length(), nextBatch);
        batch = direction == ScanDirection.LAST
                ? new RowRange(rest.to() - length, rest.to())
                : new RowRange(rest.from(), rest.from() + length);
        rest = direction == ScanDirection.LAST
                ? new RowRange(rest.from(), batch.from())
                : new RowRange(batch.to(), rest.to());
        readers.values().forEach(reader -> reader.forget(batch));
        return Optional.of(select());
    }

    /**
     * Fetches values of columns at rows of the last batch in one request for all columns, because each request to
     * object storage is a round trip. Without it, or if the values are large, each column is fetched when it is read.
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

    /** The selected rows of all remaining batches at once. */
    public RowSet all() throws IOException {
        RowRange rows = rest;
        FixedBitSet bits = new FixedBitSet(rows.length());
        for (Optional<RowSet> next = next(); next.isPresent(); next = next()) {
            next.get().addTo(bits, rows.from());
        }
        return new RowSet(rows.from(), bits);
    }

    /** The range of rows that was searched last; {@link #next} returned some of them. */
    public RowRange batch() {
        return batch;
    }

    /** The memory of decoded column blocks in bytes. */
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
            // The values could be read, so the index is the damaged part.
            logBlock.forgetIndex(e, metrics);
            return scanned;
        }
    }

    private RowSet selectAndGrow() throws IOException {
        RowSelector selector = new RowSelector(
                file,
                index,
                this::reader,
                options,
                metrics,
                window,
                batch,
                direction != ScanDirection.LAST && !rest.isEmpty());
        RowSet found = selector.select(predicate);
        nextBatch =
                selector.hasReadValues() ? Math.min(maxBatch, 2 * nextBatch) : Math.min(maxIndexedBatch, 4 * nextBatch);
        return found;
    }

    private PageReader reader(Column column) throws IOException {
        PageReader reader = readers.get(column.fieldId());
        if (reader == null) {
            reader = new PageReader(file, column, buffers, false, metrics);
            readers.put(column.fieldId(), reader);
        }
        return reader;
    }

    /**
     * Opens a cursor over a column of the table; a column that this file lacks is null. It shares its column blocks
     * with the scan, so it may only read rows of the last batch.
     */
    public ColumnCursor cursor(Column column) throws IOException {
        return new ColumnCursor(column, file.contains(column) ? Optional.of(reader(column)) : Optional.empty());
    }
}
