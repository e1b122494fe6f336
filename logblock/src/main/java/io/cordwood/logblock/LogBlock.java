package io.cordwood.logblock;

import java.io.Closeable;
import java.io.IOException;

/** An open LogBlock. Thread-safe. */
public final class LogBlock implements Closeable {
    private final RangeReader in;

    private LogBlock(RangeReader in) {
        this.in = in;
    }

    /**
     * Opens a LogBlock, or any Parquet file with the encodings LogBlocks use, by one read of its end.
     *
     * @throws LogBlockException if it is truncated, damaged or of a format this version cannot read
     */
    public static LogBlock open(RangeReader in, ReadMetrics metrics) throws IOException {
        return new LogBlock(in);
    }

    public int rowCount() {
        return 0;
    }

    /** Whether it carries an index that can be used. */
    public boolean hasIndex() {
        return false;
    }

    /** Memory this open LogBlock holds, in bytes; for caches. */
    public long retainedBytes() {
        return 0;
    }

    /** The rows in a time range for which the predicate is true: exact, whatever mix of index, statistics and values answered. */
    public RowSet select(TimeRange time, Predicate predicate, ReadOptions options, ReadMetrics metrics)
            throws IOException {
        throw new LogBlockException(in.location(), "cannot be read yet");
    }

    /** A cursor over a column of the table; a column that this file lacks reads as null. */
    public ColumnCursor cursor(Column column, ReadMetrics metrics) throws IOException {
        throw new LogBlockException(in.location(), "cannot be read yet");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
