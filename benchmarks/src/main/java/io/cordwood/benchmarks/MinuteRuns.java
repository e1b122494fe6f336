package io.cordwood.benchmarks;

import io.cordwood.logblock.RowTimes;
import io.cordwood.logblock.TimeRange;
import java.io.IOException;

/** Runs of rows of one LogBlock that are of the same minute. A run may end before its minute. Not thread-safe. */
final class MinuteRuns {
    static final long MINUTE_MICROS = 60_000_000;

    private final RowTimes times;
    private int end;
    private long minute;

    MinuteRuns(RowTimes times) {
        this.times = times;
    }

    /** Goes to the run that a row is in; times are read only where bounds leave open which minute it is. */
    void seek(int row) throws IOException {
        RowTimes.Span span = times.around(row);
        TimeRange bounds = span.times();
        minute = Math.floorDiv(bounds.fromMicros(), MINUTE_MICROS);
        if (minute == Math.floorDiv(bounds.toMicros(), MINUTE_MICROS)) {
            end = span.endRow();
            return;
        }
        minute = Math.floorDiv(times.time(row), MINUTE_MICROS);
        end = firstFrom((minute + 1) * MINUTE_MICROS, row, times.blockEnd(row));
    }

    /** The first row in (row, blockEnd) that is not before a time, or blockEnd. */
    private int firstFrom(long micros, int row, int blockEnd) throws IOException {
        // Galloping: a minute is often much shorter than a column block
        int step = 1;
        int low = row;
        while (low + step < blockEnd && times.time(low + step) < micros) {
            low += step;
            step *= 2;
        }
        int high = Math.min(low + step, blockEnd);
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (times.time(middle) < micros) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The row after the last one of the run. */
    int end() {
        return end;
    }

    /** Minutes since the epoch. */
    long minute() {
        return minute;
    }
}
