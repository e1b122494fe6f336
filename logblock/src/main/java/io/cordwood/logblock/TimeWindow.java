package io.cordwood.logblock;

import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.index.TimeIndex;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.util.Optional;

/**
 * Turns a time range into a row range: rows are in time order, so the sparse time index, then column-block bounds, then
 * one column block of {@code ts} for either end are enough. For one thread and one selection.
 */
final class TimeWindow {
    private final ParquetFile file;
    private final Optional<IndexReader> index;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final PageBuffers buffers = new PageBuffers();
    private int heldPage = -1;
    private long[] held = new long[0];

    TimeWindow(ParquetFile file, Optional<IndexReader> index, ReadOptions options, ReadMetrics metrics) {
        this.file = file;
        this.index = index;
        this.options = options;
        this.metrics = metrics;
    }

    /** The rows in the range. */
    RowRange rows(TimeRange time) throws IOException {
        int from = time.fromMicros() == Long.MIN_VALUE ? 0 : lowerBound(time.fromMicros());
        int to = time.toMicros() == Long.MAX_VALUE ? file.rowCount() : lowerBound(time.toMicros() + 1);
        return new RowRange(from, Math.max(from, to));
    }

    /** The first row with a time of at least {@code micros}, or the number of rows. */
    private int lowerBound(long micros) throws IOException {
        int low = 0;
        int high = file.rowCount();
        if (index.isPresent()) {
            TimeIndex times = index.get().timeIndex();
            low = times.firstCandidate(micros);
            high = times.lastCandidate(micros);
        }
        Column ts = Column.of(LogBlockSchema.TS, tsFieldId(), ColumnType.TIMESTAMP);
        ColumnPages pages = file.pages(ts);
        while (low < high) {
            int middle = (low + high) >>> 1;
            int page = pages.pageOf(middle);
            boolean bounded = options.useStatistics() && pages.hasBounds(page);
            if (bounded && (long) pages.max(page) < micros) {
                low = pages.endRow(page);
            } else if (bounded && (long) pages.min(page) >= micros) {
                high = pages.firstRow(page);
            } else if (time(ts, pages, page, middle) < micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.min(low, file.rowCount());
    }

    private int tsFieldId() throws LogBlockException {
        return file.fieldId(LogBlockSchema.TS);
    }

    private long time(Column ts, ColumnPages pages, int page, int row) throws IOException {
        if (page != heldPage) {
            file.read(ts, new int[] {page}, buffers, metrics, (number, times) -> held = ((LongVector) times).values());
            heldPage = page;
        }
        return held[row - pages.firstRow(page)];
    }
}
