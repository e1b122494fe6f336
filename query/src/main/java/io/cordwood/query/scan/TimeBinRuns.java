package io.cordwood.query.scan;

import io.cordwood.logblock.scan.RowTimes;
import io.cordwood.logblock.schema.TimeRange;
import java.io.IOException;
import java.util.Optional;

/**
 * Runs of rows of one LogBlock with the same value of a time bin. Minutes and other bounds decide where they can;
 * a column block of {@code ts} is read only if two bins may meet in it. Not thread-safe.
 */
public final class TimeBinRuns {
    private final RowTimes times;
    private final TimeBin bin;
    private int from = -1;
    private int end = -1;
    private long millis;

    TimeBinRuns(RowTimes times, TimeBin bin) {
        this.times = times;
        this.bin = bin;
    }

    /** Moves to the run of a row. A run may end before its bin does. */
    public void seek(int row) throws IOException {
        if (row >= from && row < end) {
            return;
        }
        Optional<RowTimes.Span> minute = times.minute(row);
        if ((minute.isPresent() && moveIfInOneBin(minute.get())) || moveIfInOneBin(times.around(row))) {
            return;
        }
        from = row;
        millis = bin.millis(times.time(row));
        int blockEnd = times.blockEnd(row);
        end = bin.isMonotone(times.time(row), times.time(blockEnd - 1))
                ? times.runEnd(row, micros -> bin.millis(micros) == millis)
                : row + 1;
    }

    /** Moves to these rows if their bounds are in one bin. */
    private boolean moveIfInOneBin(RowTimes.Span span) {
        TimeRange bounds = span.times();
        if (bounds.fromMicros() == Long.MIN_VALUE
                || bounds.toMicros() == Long.MAX_VALUE
                || !bin.isMonotone(bounds.fromMicros(), bounds.toMicros())
                || bin.millis(bounds.fromMicros()) != bin.millis(bounds.toMicros())) {
            return false;
        }
        from = span.fromRow();
        end = span.endRow();
        millis = bin.millis(bounds.fromMicros());
        return true;
    }

    /** The end of the run, exclusive. */
    public int end() {
        return end;
    }

    /** The value of the run's rows, in milliseconds since the epoch. */
    public long millis() {
        return millis;
    }
}
