package io.cordwood.logblock.scan;

import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.index.MinuteIndex;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Maps a time range to a row range. Rows are in time order, so the indexes of times and minutes, then column-block
 * bounds, then one column block of {@code ts} at either end suffice; none where the range ends with a minute. For one
 * thread and one selection.
 */
final class TimeWindow {
    private final ParquetFile file;
    private final Optional<IndexReader> index;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    /** Times in column blocks of {@code ts} that have been read. */
    private final Map<Integer, long[]> held = new HashMap<>();

    TimeWindow(ParquetFile file, Optional<IndexReader> index, ReadOptions options, ReadMetrics metrics) {
        this.file = file;
        this.index = index;
        this.options = options;
        this.metrics = metrics;
    }

    /** The rows in the range. */
    RowRange rows(TimeRange time) throws IOException {
        Column ts = Column.of(LogBlockSchema.TS, file.fieldId(LogBlockSchema.TS), ColumnType.TIMESTAMP);
        ColumnPages pages = file.pages(ts);
        Bound from = time.fromMicros() == Long.MIN_VALUE
                ? new Bound(Long.MIN_VALUE, 0, 0)
                : narrowed(time.fromMicros(), pages);
        Bound to = time.toMicros() == Long.MAX_VALUE
                ? new Bound(Long.MAX_VALUE, file.rowCount(), file.rowCount())
                : narrowed(time.toMicros() + 1, pages);
        // Both ends in one request
        read(
                ts,
                Stream.of(from, to)
                        .filter(bound -> bound.low < bound.high)
                        .flatMapToInt(bound -> IntStream.of(pages.pageOf((bound.low + bound.high) >>> 1))));
        int first = find(from, ts, pages);
        return new RowRange(first, Math.max(first, find(to, ts, pages)));
    }

    /** The first row with a time of at least {@code micros}, or the number of rows, lies in {@code [low, high]}. */
    private record Bound(long micros, int low, int high) {}

    /** A bound narrowed by the time index and then by column-block bounds. */
    private Bound narrowed(long micros, ColumnPages pages) {
        int low = 0;
        int high = file.rowCount();
        if (index.isPresent()) {
            low = index.get().timeIndex().firstCandidate(micros);
            high = index.get().timeIndex().lastCandidate(micros);
            MinuteIndex minutes = index.get().minuteIndex();
            if (!minutes.isEmpty()) {
                low = Math.max(low, minutes.firstCandidate(micros));
                high = Math.min(high, minutes.lastCandidate(micros));
            }
        }
        return narrowed(new Bound(micros, low, high), pages);
    }

    private Bound narrowed(Bound bound, ColumnPages pages) {
        int low = bound.low;
        int high = bound.high;
        while (options.useStatistics() && low < high) {
            int page = pages.pageOf((low + high) >>> 1);
            if (pages.hasBounds(page) && (long) pages.max(page) < bound.micros) {
                low = pages.endRow(page);
            } else if (pages.hasBounds(page) && (long) pages.min(page) >= bound.micros) {
                high = pages.firstRow(page);
            } else {
                break;
            }
        }
        return new Bound(bound.micros, low, high);
    }

    private int find(Bound narrowed, Column ts, ColumnPages pages) throws IOException {
        Bound rest = narrowed;
        while (rest.low < rest.high) {
            int middle = (rest.low + rest.high) >>> 1;
            int page = pages.pageOf(middle);
            read(ts, IntStream.of(page));
            boolean before = held.get(page)[middle - pages.firstRow(page)] < rest.micros;
            rest = narrowed(
                    before ? new Bound(rest.micros, middle + 1, rest.high) : new Bound(rest.micros, rest.low, middle),
                    pages);
        }
        return Math.min(rest.low, file.rowCount());
    }

    private void read(Column ts, IntStream pages) throws IOException {
        int[] missing = pages.filter(page -> !held.containsKey(page))
                .distinct()
                .sorted()
                .toArray();
        if (missing.length > 0) {
            file.read(ts, missing, metrics, (page, times) -> held.put(page, ((LongVector) times).values()));
        }
    }
}
