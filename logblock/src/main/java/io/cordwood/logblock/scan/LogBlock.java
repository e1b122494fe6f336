package io.cordwood.logblock.scan;

import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.MeteredReader;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
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
     * Opens a LogBlock, or a Parquet file that another program wrote, by one or two reads of its end. Such a file has
     * the same columns by their field ids, but neither index nor bounds, and its rows are in any order.
     *
     * @throws LogBlockException if it is truncated, damaged or of a format this version cannot read
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics) throws IOException {
        return open(in, metrics, DecodedCache.NONE, ColumnNames.NONE);
    }

    /**
     * As {@link #open(RangeReader, ReadMetrics)}.
     *
     * @param decoded keeps its column blocks decoded, beside those of other LogBlocks
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics, DecodedCache decoded) throws IOException {
        return open(in, metrics, decoded, ColumnNames.NONE);
    }

    /**
     * As {@link #open(RangeReader, ReadMetrics, DecodedCache)}.
     *
     * @param names how columns are called in a file that another program wrote without field ids
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

    /** URI of the object. */
    public String location() {
        return in.location();
    }

    public int rowCount() {
        return file.rowCount();
    }

    /** Size of its pages once decompressed, in bytes. */
    public long decodedBytes() {
        return file.decodedBytes();
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

    /** The rows whose time lies in the range; the LogBlock must be {@link #isOrdered}. */
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
     * A pass over the rows of a range for which the predicate is true: exact, whatever mix of index, statistics and
     * values answers.
     */
    public LogBlockScan scan(
            RowRange rows, Predicate predicate, ScanDirection wanted, ReadOptions options, ReadMetrics metrics) {
        return new LogBlockScan(this, file, usableIndex(options), rows, predicate, wanted, options, metrics);
    }

    /** As {@link #scan}, all at once: the rows in a time range for which the predicate is true. */
    public RowSet select(TimeRange time, Predicate predicate, ReadOptions options, ReadMetrics metrics)
            throws IOException {
        return scan(rows(time, options, metrics), predicate, ScanDirection.ALL, options, metrics)
                .all();
    }

    private Optional<IndexReader> usableIndex(ReadOptions options) {
        return options.useIndex() ? index : Optional.empty();
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
        return new RowTimes(file, timeIndex(options), options, metrics);
    }

    /** Does work that may read the index, on behalf of a call. */
    <T> T metered(ReadMetrics metrics, MeteredReader.Work<T> work) throws IOException {
        return indexBytes.metered(metrics, work);
    }

    /** From now on rows are scanned. */
    void forgetIndex(Exception failure, ReadMetrics metrics) {
        LOG.warn("{}: index cannot be used, rows are scanned: {}", in.location(), failure.toString());
        metrics.indexesUnusable.increment();
        index = Optional.empty();
    }

    /** A cursor over a column of the table, apart from any scan; a column that this file lacks reads as null. */
    public ColumnCursor cursor(Column column, ReadMetrics metrics) throws IOException {
        return scan(rows(), Predicate.TRUE, ScanDirection.ALL, ReadOptions.DEFAULTS, metrics)
                .cursor(column);
    }

    /**
     * Lets go of the column blocks that are kept decoded, and keeps no more. A query may still read it, and decodes for
     * itself.
     */
    public void forgetDecoded() {
        file.forgetDecoded();
    }

    @Override
    public void close() throws IOException {
        forgetDecoded();
        in.close();
    }
}
