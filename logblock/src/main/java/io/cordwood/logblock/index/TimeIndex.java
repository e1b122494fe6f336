package io.cordwood.logblock.index;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;

/**
 * A sparse index of the time of every {@value #INTERVAL}th row. It maps a time range to a range of rows in memory,
 * exact to the interval at either end (TencentCLS, section 4.1). Immutable.
 */
public final class TimeIndex {
    public static final int INTERVAL = 1024;

    private final long[] times;
    private final int rowCount;

    /** @param times times of the rows 0, INTERVAL, 2 * INTERVAL, ... */
    TimeIndex(long[] times, int rowCount) {
        this.times = times;
        this.rowCount = rowCount;
    }

    /** The first row that could be the first one with a time of at least {@code micros}. */
    public int firstCandidate(long micros) {
        return Math.max(0, lowerBound(micros) - 1) * INTERVAL;
    }

    /**
     * The last row that could be the first one with a time of at least {@code micros}; rowCount if there may be none.
     */
    public int lastCandidate(long micros) {
        return Math.min(rowCount, lowerBound(micros) * INTERVAL);
    }

    /** The time of a row whose number is a multiple of {@value #INTERVAL}. */
    public long sampled(int row) {
        return times[row / INTERVAL];
    }

    /** The number of sampled times below {@code micros}. */
    private int lowerBound(long micros) {
        int low = 0;
        int high = times.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] < micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void write(ByteSink out) {
        out.writeVarint(INTERVAL);
        out.writeVarint(times.length);
        long previous = 0;
        for (long time : times) {
            out.writeZigZag(time - previous);
            previous = time;
        }
    }

    static TimeIndex read(ByteSource in, int rowCount) {
        int interval = in.readVarint32();
        int count = in.readVarint32();
        if (interval != INTERVAL || count != (rowCount + INTERVAL - 1) / INTERVAL) {
            throw new IllegalStateException(
                    "time index of %d entries at an interval of %d for %d rows".formatted(count, interval, rowCount));
        }
        long[] times = new long[count];
        long time = 0;
        for (int i = 0; i < count; i++) {
            time += in.readZigZag();
            times[i] = time;
        }
        return new TimeIndex(times, rowCount);
    }

    long retainedBytes() {
        return 8L * times.length;
    }
}
