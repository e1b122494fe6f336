package io.cordwood.logblock.index;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import java.util.Arrays;

/**
 * The first row of each minute that has rows, exact and in memory: the edges of a histogram's bins (TencentCLS, section
 * 4.5.3). A LogBlock with few rows a minute has none, since its times are cheap to read. Immutable.
 */
public final class MinuteIndex {
    public static final long MINUTE_MICROS = 60_000_000;

    /** The fewest rows a minute, on average, for which minutes are worth their bytes. */
    static final int MIN_ROWS = 32;

    /** Of a LogBlock whose index has no minutes. */
    static final MinuteIndex NONE = new MinuteIndex(new long[0], new int[1]);

    /** Minutes further from the epoch do not fit into microseconds. */
    private static final long MAX_MINUTES = Long.MAX_VALUE / MINUTE_MICROS - 1;

    private final long[] minutes;
    /** The first row of each minute, then the number of rows. */
    private final int[] edges;

    /** @param minutes since the epoch, ascending */
    private MinuteIndex(long[] minutes, int[] edges) {
        this.minutes = minutes;
        this.edges = edges;
    }

    public boolean isEmpty() {
        return minutes.length == 0;
    }

    /** The number of minutes that have rows. */
    public int size() {
        return minutes.length;
    }

    /** The start of the minute at a position, in microseconds since the epoch. */
    public long fromMicros(int position) {
        return minutes[position] * MINUTE_MICROS;
    }

    public int fromRow(int position) {
        return edges[position];
    }

    /** The row after the minute's last one. */
    public int endRow(int position) {
        return edges[position + 1];
    }

    /** The position of a row's minute. */
    public int positionOf(int row) {
        int found = Arrays.binarySearch(edges, row);
        return found >= 0 ? found : -found - 2;
    }

    /** The first row that could be the first one with a time of at least {@code micros}. */
    public int firstCandidate(long micros) {
        return edges[lowerBound(micros)];
    }

    /** The last row that could be the first one with a time of at least {@code micros}; the row count if none. */
    public int lastCandidate(long micros) {
        int position = lowerBound(micros);
        boolean isWithin = position < minutes.length && fromMicros(position) < micros;
        return edges[isWithin ? position + 1 : position];
    }

    /** The position of the first minute that ends after {@code micros}. */
    private int lowerBound(long micros) {
        int found = Arrays.binarySearch(minutes, Math.floorDiv(micros, MINUTE_MICROS));
        return found >= 0 ? found : -found - 1;
    }

    long retainedBytes() {
        return 12L * minutes.length;
    }

    static MinuteIndex read(ByteSource in, int rowCount) {
        int count = in.readVarint32();
        if (count > rowCount) {
            throw new IllegalStateException("%d minutes for %d rows".formatted(count, rowCount));
        }
        long[] minutes = new long[count];
        int[] edges = new int[count + 1];
        long minute = 0;
        for (int i = 0; i < count; i++) {
            minute += i == 0 ? in.readZigZag() : in.readVarint() + 1;
            minutes[i] = minute;
            edges[i + 1] = Math.addExact(edges[i], in.readVarint32() + 1);
        }
        if (count > 0 && edges[count] != rowCount) {
            throw new IllegalStateException("minutes of %d rows for %d rows".formatted(edges[count], rowCount));
        }
        return new MinuteIndex(minutes, edges);
    }

    /** Collects the minutes of rows in time order. Not thread-safe. */
    static final class Builder {
        private long[] minutes = new long[16];
        private int[] edges = new int[16];
        private int count;
        private int rowCount;
        private long minute = Long.MIN_VALUE;
        /** The first time after the current minute. */
        private long end = Long.MIN_VALUE;

        void add(long[] times, int rows) {
            for (int i = 0; i < rows; i++) {
                if (times[i] >= end && Math.floorDiv(times[i], MINUTE_MICROS) != minute) {
                    begin(Math.floorDiv(times[i], MINUTE_MICROS), rowCount + i);
                }
            }
            rowCount += rows;
        }

        private void begin(long next, int row) {
            if (count == minutes.length) {
                minutes = Arrays.copyOf(minutes, 2 * count);
                edges = Arrays.copyOf(edges, 2 * count);
            }
            minutes[count] = next;
            edges[count++] = row;
            minute = next;
            end = (next + 1) * MINUTE_MICROS;
        }

        /** Writes the minutes; none if there are few rows a minute. */
        void write(ByteSink out) {
            boolean isWorthIt = count > 0
                    && count <= rowCount / MIN_ROWS
                    && minutes[0] > -MAX_MINUTES
                    && minutes[count - 1] < MAX_MINUTES;
            out.writeVarint(isWorthIt ? count : 0);
            for (int i = 0; isWorthIt && i < count; i++) {
                if (i == 0) {
                    out.writeZigZag(minutes[0]);
                } else {
                    out.writeVarint(minutes[i] - minutes[i - 1] - 1);
                }
                out.writeVarint((i + 1 < count ? edges[i + 1] : rowCount) - edges[i] - 1L);
            }
        }
    }
}
