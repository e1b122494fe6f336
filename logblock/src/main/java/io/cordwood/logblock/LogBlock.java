package io.cordwood.logblock;

import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.CorruptIndexException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open LogBlock. Thread-safe.
 *
 * <p>The index is advisory: where it is missing, damaged or of another version, the same rows are found by reading
 * values.
 */
public final class LogBlock implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LogBlock.class);

    private final RangeReader in;
    private final MeteredReader indexBytes;
    private final ParquetFile file;
    private volatile Optional<IndexReader> index;

    private LogBlock(RangeReader in, MeteredReader indexBytes, ParquetFile file, Optional<IndexReader> index) {
        this.in = in;
        this.indexBytes = indexBytes;
        this.file = file;
        this.index = index;
    }

    /**
     * Opens a LogBlock, or a Parquet file with the encodings LogBlocks use, by one or two reads of its end.
     *
     * @throws LogBlockException if it is truncated, damaged or of a format this version cannot read
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics) throws IOException {
        ParquetFile file = ParquetFile.open(in, metrics);
        MeteredReader indexBytes = new MeteredReader(in);
        return indexBytes.metered(
                metrics, () -> new LogBlock(in, indexBytes, file, openIndex(indexBytes, file, metrics)));
    }

    private static Optional<IndexReader> openIndex(RangeReader in, ParquetFile file, ReadMetrics metrics)
            throws IOException {
        Optional<IndexLocation> location = IndexLocation.load(file.keyValues());
        if (location.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> hot =
                file.fromTail(location.get().hotOffset(), location.get().hotLength());
        try {
            if (hot.isEmpty()) {
                throw new LogBlockException(in.location(), "the index lies outside of the file");
            }
            return Optional.of(IndexReader.open(in, location.get(), hot.get(), file.rowCount()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: index cannot be used, rows will be scanned: {}", in.location(), e.toString());
            metrics.indexesUnusable.increment();
            return Optional.empty();
        }
    }

    public int rowCount() {
        return file.rowCount();
    }

    /**
     * Whether a {@link LogBlockWriter} of this version wrote it, so that its rows are in time order. In a Parquet file
     * that others wrote they need not be, even if its footer keys were copied: select by a condition on {@code ts}
     * there, not by a time range.
     */
    public boolean isOrdered() {
        return file.isWrittenHere()
                && LogBlockWriter.VERSION.equals(file.keyValues().get(LogBlockWriter.VERSION_KEY));
    }

    /** Whether it carries an index that can be used. */
    public boolean hasIndex() {
        return index.isPresent();
    }

    /** Bytes of the index in the object, cold and hot part; 0 if it carries none that this version knows. */
    public long indexBytes() {
        return IndexLocation.load(file.keyValues())
                .map(location -> location.coldLength() + location.hotLength())
                .orElse(0L);
    }

    /** Whether the file has this column of the table. */
    public boolean contains(Column column) {
        return file.contains(column);
    }

    /** Memory this open LogBlock holds, in bytes; grows as columns are used, by their dictionaries and page indexes. */
    public long retainedBytes() {
        return file.retainedBytes() + index.map(IndexReader::retainedBytes).orElse(0L);
    }

    /**
     * The rows in a time range for which the predicate is true: exact, whatever mix of index, statistics and values
     * answered.
     */
    public RowSet select(TimeRange time, Predicate predicate, ReadOptions options, ReadMetrics metrics)
            throws IOException {
        Optional<IndexReader> usable = options.useIndex() ? index : Optional.empty();
        if (usable.isEmpty()) {
            return select(time, predicate, options, metrics, Optional.empty());
        }
        try {
            return indexBytes.metered(metrics, () -> select(time, predicate, options, metrics, usable));
        } catch (CorruptIndexException | EOFException | RuntimeException e) {
            RowSet scanned = select(time, predicate, options, metrics, Optional.empty());
            // The values could be read, so it was the index that could not.
            LOG.warn("{}: index cannot be used, rows are scanned: {}", in.location(), e.toString());
            metrics.indexesUnusable.increment();
            index = Optional.empty();
            return scanned;
        }
    }

    private RowSet select(
            TimeRange time, Predicate predicate, ReadOptions options, ReadMetrics metrics, Optional<IndexReader> usable)
            throws IOException {
        TimeWindow window = new TimeWindow(file, options.useTimeIndex() ? usable : Optional.empty(), options, metrics);
        int from = window.firstRow(time);
        int to = Math.max(from, window.endRow(time));
        if (from == to) {
            return RowSet.empty();
        }
        return new RowSelector(file, usable, options, metrics, from, to).select(predicate);
    }

    /**
     * The times of the rows, which must be in time order.
     *
     * @throws IllegalStateException if {@link #isOrdered} is false
     */
    public RowTimes times(ReadOptions options, ReadMetrics metrics) throws IOException {
        if (!isOrdered()) {
            throw new IllegalStateException(in.location() + ": rows are not in time order");
        }
        Optional<IndexReader> usable = options.useIndex() && options.useTimeIndex() ? index : Optional.empty();
        return new RowTimes(file, usable, options, metrics);
    }

    /** A cursor over a column of the table; a column that this file lacks reads as null. */
    public ColumnCursor cursor(Column column, ReadMetrics metrics) {
        return new ColumnCursor(file, column, metrics);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
