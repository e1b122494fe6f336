package io.cordwood.logblock.scan;

import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.index.MinuteIndex;
import io.cordwood.logblock.index.TimeIndex;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * A reader of the times of one LogBlock's rows, which are in time order, for cutting rows into time bins. Bounds from
 * the sparse time index and the column blocks cost no read; an exact time reads one column block of {@code ts}. It
 * keeps the column blocks read last. Not thread-safe.
 */
public final class RowTimes {
    /**
     * A range of rows with bounds of their times.
     *
     * @param fromRow the first row
     * @param endRow the row after the last one
     * @param times bounds of the rows' times; unbounded if nothing is known
     */
    public record Span(int fromRow, int endRow, TimeRange times) {}

    private static final int MAX_READ_AHEAD = 64;

    private final ParquetFile file;
    private final Optional<TimeIndex> index;
    private final Optional<MinuteIndex> minutes;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final Column ts;
    private final ColumnPages pages;
    /** Times in adjacent column blocks, beginning with {@code firstHeld}. */
    private final List<long[]> held = new ArrayList<>();

    /** Position of the minute that was asked for last. */
    private int minute;

    private int firstHeld;
    private int readAhead = 1;

    /** Times of the column block that was requested last. */
    private long[] block = {};

    private int blockFrom;
    private int blockTo;

    RowTimes(ParquetFile file, Optional<IndexReader> index, ReadOptions options, ReadMetrics metrics)
            throws IOException {
        this.file = file;
        this.index = index.map(IndexReader::timeIndex);
        this.minutes = index.map(IndexReader::minuteIndex).filter(known -> !known.isEmpty());
        this.options = options;
        this.metrics = metrics;
        ts = Column.of(LogBlockSchema.TS, file.fieldId(LogBlockSchema.TS), ColumnType.TIMESTAMP);
        pages = file.pages(ts);
    }

    /**
     * The rows in a row's minute, with the minute as bounds of their times. Needs no read; empty if minutes are not
     * known. Histograms whose bins are whole minutes need nothing else (TencentCLS, section 4.5.3).
     */
    public Optional<Span> minute(int row) {
        if (minutes.isEmpty()) {
            return Optional.empty();
        }
        MinuteIndex known = minutes.get();
        // Rows are asked for in order, so it is mostly the next minute
        if (minute + 1 < known.size() && known.endRow(minute) == row) {
            minute++;
        } else if (row < known.fromRow(minute) || row >= known.endRow(minute)) {
            minute = known.positionOf(row);
        }
        long from = known.fromMicros(minute);
        return Optional.of(new Span(
                known.fromRow(minute),
                known.endRow(minute),
                new TimeRange(from, from + MinuteIndex.MINUTE_MICROS - 1)));
    }

    /** The rows around a row, within its column block, with bounds of their times that need no read. */
    public Span around(int row) {
        if (isInBlock(row)) {
            return new Span(blockFrom, blockTo, new TimeRange(block[0], block[block.length - 1]));
        }
        int page = pages.pageOf(row);
        int from = pages.firstRow(page);
        int end = pages.endRow(page);
        long min = Long.MIN_VALUE;
        long max = Long.MAX_VALUE;
        if (options.useStatistics() && pages.hasBounds(page)) {
            min = (long) pages.min(page);
            max = (long) pages.max(page);
        }
        if (index.isPresent()) {
            int interval = row - row % TimeIndex.INTERVAL;
            int next = interval + TimeIndex.INTERVAL;
            from = Math.max(from, interval);
            min = Math.max(min, index.get().sampled(interval));
            if (next < file.rowCount()) {
                max = Math.min(max, index.get().sampled(next));
            }
            end = Math.min(end, next);
        }
        return new Span(from, end, new TimeRange(min, max));
    }

    /** The end of a row's column block, exclusive; up to there {@link #time} reads no other block. */
    public int blockEnd(int row) {
        return isInBlock(row) ? blockTo : pages.endRow(pages.pageOf(row));
    }

    /**
     * The time of a row in microseconds; reads its column block if necessary. A block that is requested after its
     * neighbours is read together with several following ones.
     */
    public long time(int row) throws IOException {
        if (!isInBlock(row)) {
            load(row);
        }
        return block[row - blockFrom];
    }

    /**
     * The end of a run, exclusive: the first row from this one to the end of its column block whose time fails the
     * test. Reads no other column block.
     *
     * @param isSame a test that is true for this row's time, and only for times up to the run's end
     */
    public int runEnd(int row, LongPredicate isSame) throws IOException {
        // Galloping: a run is often much shorter than a column block
        int blockEnd = blockEnd(row);
        int step = 1;
        int low = row;
        while (low + step < blockEnd && isSame.test(time(low + step))) {
            low += step;
            step *= 2;
        }
        int high = Math.min(low + step, blockEnd);
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (isSame.test(time(middle))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private boolean isInBlock(int row) {
        return row >= blockFrom && row < blockTo;
    }

    private void load(int row) throws IOException {
        int page = pages.pageOf(row);
        if (page < firstHeld || page >= firstHeld + held.size()) {
            readAhead = page == firstHeld + held.size() ? Math.min(2 * readAhead, MAX_READ_AHEAD) : 1;
            held.clear();
            firstHeld = page;
            int[] requested = IntStream.range(page, Math.min(page + readAhead, pages.count()))
                    .toArray();
            file.read(ts, requested, metrics, (number, times) -> held.add(((LongVector) times).values()));
        }
        block = held.get(page - firstHeld);
        blockFrom = pages.firstRow(page);
        blockTo = pages.endRow(page);
    }
}
