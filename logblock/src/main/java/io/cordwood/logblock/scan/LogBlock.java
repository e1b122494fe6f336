package io.cordwood.logblock.scan;

import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.MeteredReader;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.parquet.StoredText;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open LogBlock. Thread-safe.
 *
 * <p>The index is advisory: if it is missing, damaged or of another version, reading values finds the same rows.
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
     * Opens a LogBlock, or a Parquet file that another program wrote, with one or two reads of its end. Such a file has
     * the same columns by field id, but neither index nor bounds, and its rows are in any order.
     *
     * @throws LogBlockException if it is truncated, damaged or of a format this version cannot read
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics) throws IOException {
        return open(in, metrics, DecodedCache.NONE, ColumnNames.NONE);
    }

    /**
     * Like {@link #open(RangeReader, ReadMetrics)}.
     *
     * @param decoded cache for its decoded column blocks, shared with other LogBlocks
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics, DecodedCache decoded) throws IOException {
        return open(in, metrics, decoded, ColumnNames.NONE);
    }

    /**
     * Like {@link #open(RangeReader, ReadMetrics, DecodedCache)}.
     *
     * @param names names of the columns in a file that another program wrote without field ids
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics, DecodedCache decoded, ColumnNames names)
            throws IOException {
        ParquetFile file = ParquetFile.open(in, metrics, decoded.open(), names);
        MeteredReader indexBytes = new MeteredReader(in);
        return indexBytes.metered(
                metrics, () -> new LogBlock(in, indexBytes, file, openIndex(indexBytes, file, metrics)));
    }

    private static Optional<IndexReader> openIndex(RangeReader in, ParquetFile file, ReadMetrics metrics)
            throws IOException {
        // A program that rewrote the file may have copied its keys
        Optional<IndexLocation> location =
                file.isWrittenHere() ? IndexLocation.load(file.keyValues()) : Optional.empty();
        if (location.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> hot =
                file.fromFileEnd(location.get().hotOffset(), location.get().hotLength());
        try {
            if (hot.isEmpty()) {
                throw new LogBlockException(in.location(), "the index lies outside the file");
            }
            return Optional.of(IndexReader.open(in, location.get(), hot.get(), file.rowCount()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: index is unusable, rows will be scanned: {}", in.location(), e.toString());
            metrics.indexesUnusable.increment();
            return Optional.empty();
        }
    }

    /** The URI of the object. */
    public String location() {
        return in.location();
    }

    public int rowCount() {
        return file.rowCount();
    }

    /** The decompressed size of its pages in bytes. */
    public long decodedBytes() {
        return file.decodedBytes();
    }

    /**
     * Whether a {@link LogBlockWriter} of this version wrote it, so that its rows are in time order. The rows of a
     * Parquet file of another program need not be, even if its footer keys were copied; select by a condition on {@code
     * ts} there, not by a time range.
     */
    public boolean isOrdered() {
        return file.isWrittenHere()
                && LogBlockWriter.VERSION.equals(file.keyValues().get(LogBlockWriter.VERSION_KEY));
    }

    /** Whether it has a usable index. */
    public boolean hasIndex() {
        return index.isPresent();
    }

    /** The size of the index in the object, cold and hot part; 0 without an index that this version can read. */
    public long indexBytes() {
        return IndexLocation.load(file.keyValues())
                .map(location -> location.coldLength() + location.hotLength())
                .orElse(0L);
    }

    /** Whether the file has this column of the table. */
    public boolean contains(Column column) {
        return file.contains(column);
    }

    /**
     * Reads the whole index into memory, to copy from it.
     *
     * @return empty if there is none, or it is damaged
     */
    public Optional<IndexReader> loadIndex(ReadMetrics metrics) throws IOException {
        if (index.isEmpty()) {
            return Optional.empty();
        }
        IndexLocation location = IndexLocation.load(file.keyValues()).orElseThrow();
        byte[] hot =
                file.fromFileEnd(location.hotOffset(), location.hotLength()).orElseThrow();
        LoadedRange cold = LoadedRange.of(
                in, new ByteRange(location.coldOffset(), Math.toIntExact(location.coldLength())), metrics);
        try {
            IndexReader loaded = IndexReader.open(cold, location, hot, file.rowCount());
            loaded.check();
            return Optional.of(loaded);
        } catch (IOException | RuntimeException e) {
            forgetIndex(e, metrics);
            return Optional.empty();
        }
    }

    /** A text column as pages to copy; empty if it cannot be copied. */
    public Optional<StoredText> storedText(Column column, ReadMetrics metrics) throws IOException {
        return file.storedText(column, metrics);
    }

    /** The memory of this open LogBlock in bytes; it grows with the dictionaries and page indexes of used columns. */
    public long retainedBytes() {
        return file.retainedBytes() + index.map(IndexReader::retainedBytes).orElse(0L);
    }

    /** The rows with a time in the range; the LogBlock must be {@link #isOrdered}. */
    public RowRange rows(TimeRange time, ReadOptions options, ReadMetrics metrics) throws IOException {
        return new TimeWindow(file, timeIndex(options), options, metrics).rows(time);
    }

    private Optional<IndexReader> timeIndex(ReadOptions options) {
        return options.useTimeIndex() ? usableIndex(options) : Optional.empty();
    }

    /** All rows. */
    public RowRange rows() {
        return new RowRange(0, rowCount());
    }

    /**
     * Starts a scan for the rows of a range for which the predicate is true. The result is exact, whatever mix of
     * index, statistics and values answers.
     */
    public LogBlockScan scan(
            RowRange rows, Predicate predicate, ScanDirection direction, ReadOptions options, ReadMetrics metrics) {
        return new LogBlockScan(this, file, usableIndex(options), rows, predicate, direction, options, metrics);
    }

    /** Like {@link #scan}, at once: the rows in a time range for which the predicate is true. */
    public RowSet select(TimeRange time, Predicate predicate, ReadOptions options, ReadMetrics metrics)
            throws IOException {
        return scan(rows(time, options, metrics), predicate, ScanDirection.ALL, options, metrics)
                .all();
    }

    private Optional<IndexReader> usableIndex(ReadOptions options) {
        return options.useIndex() ? index : Optional.empty();
    }

    /**
     * A reader of the times of the rows, which must be in time order.
     *
     * @throws IllegalStateException if {@link #isOrdered} is false
     */
    public RowTimes times(ReadOptions options, ReadMetrics metrics) throws IOException {
        if (!isOrdered()) {
            throw new IllegalStateException(in.location() + ": rows are not in time order");
        }
        return new RowTimes(file, timeIndex(options), options, metrics);
    }

    /** Does work that may read the index, and counts its reads in the metrics of a call. */
    <T> T metered(ReadMetrics metrics, MeteredReader.Work<T> work) throws IOException {
        return indexBytes.metered(metrics, work);
    }

    /** Drops the index, so that rows are scanned from now on. */
    void forgetIndex(Exception failure, ReadMetrics metrics) {
        LOG.warn("{}: index is unusable, rows will be scanned: {}", in.location(), failure.toString());
        metrics.indexesUnusable.increment();
        index = Optional.empty();
    }

    /** Whether the file has this column, and it is text. */
    public boolean hasText(Column column) {
        return column.type() == ColumnType.VARCHAR && file.contains(column);
    }

    /** The approximate bytes of a text column in a row, without reading it: the mean of its column block. */
    public long estimatedTextBytes(Column column, int row) throws IOException {
        ColumnPages pages = file.pages(column);
        int page = pages.pageOf(row);
        return pages.valueBytes(page) / Math.max(1, pages.rows(page));
    }

    /**
     * Opens a cursor over a column of the table, independent of any scan, to read many of its rows one after the other;
     * a column that this file lacks is null.
     */
    public ColumnCursor cursor(Column column, ReadMetrics metrics) throws IOException {
        return new ColumnCursor(
                column,
                file.contains(column)
                        ? Optional.of(new PageReader(file, column, new PageBuffers(), true, metrics))
                        : Optional.empty());
    }

    /** Drops the cached column blocks, and caches no more. A query that still reads the LogBlock decodes for itself. */
    public void forgetDecoded() {
        file.forgetDecoded();
    }

    @Override
    public void close() throws IOException {
        forgetDecoded();
        in.close();
    }
}
