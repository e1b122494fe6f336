package io.cordwood.benchmarks.data;

import io.cordwood.logblock.scan.RowTimes;
import io.cordwood.logblock.schema.TimeRange;
import java.io.IOException;

/** Runs of rows of one LogBlock in the same minute. A run may end before its minute. Not thread-safe. */
public final class MinuteRuns {
    public static final long MINUTE_MICROS = 60_000_000;

    private final RowTimes times;
    private int end;
    private long minute;

    public MinuteRuns(RowTimes times) {
        this.times = times;
    }

    /** Moves to the run that contains a row. Reads times only where bounds do not determine the minute. */
    public void seek(int row) throws IOException {
        RowTimes.Span span = times.minute(row).orElseGet(() -> times.around(row));
        TimeRange bounds = span.times();
        minute = Math.floorDiv(bounds.fromMicros(), MINUTE_MICROS);
        if (minute == Math.floorDiv(bounds.toMicros(), MINUTE_MICROS)) {
            end = span.endRow();
            return;
        }
        minute = Math.floorDiv(times.time(row), MINUTE_MICROS);
        long next = (minute + 1) * MINUTE_MICROS;
        end = times.runEnd(row, micros -> micros < next);
    }

    /** The row after the last row of the run. */
    public int end() {
        return end;
    }

    /** Minutes since the epoch. */
    public long minute() {
        return minute;
    }
}
