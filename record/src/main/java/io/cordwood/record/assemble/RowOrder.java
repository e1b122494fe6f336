package io.cordwood.record.assemble;

import io.cordwood.record.buffer.RowBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The order of the rows of several buffers, sorted by (ts, offset, ordinal). Immutable.
 *
 * <p>Rows arrive in (offset, ordinal) order, so a stable sort by time is enough. They are mostly sorted already: sorted
 * runs are merged in pairs.
 */
final class RowOrder {
    private final RowBuffer[] buffers;
    private final int[] firstRows;
    private final int[] endRows;
    /** By position: the time. */
    private final long[] times;
    /** By buffer and row: the position, or -1 for a row left out. */
    private final int[][] positions;

    /** Sorts the rows at {@code fromOffset} and after, below {@code toOffset}. */
    RowOrder(List<RowBuffer> buffers, long fromOffset, long toOffset) {
        this.buffers = buffers.toArray(RowBuffer[]::new);
        this.firstRows = new int[this.buffers.length];
        this.endRows = new int[this.buffers.length];
        int rows = 0;
        long previous = Long.MIN_VALUE;
        for (int b = 0; b < this.buffers.length; b++) {
            RowBuffer buffer = this.buffers[b];
            int first = 0;
            while (first < buffer.rowCount() && buffer.offset(first) < fromOffset) {
                first++;
            }
            int end = buffer.rowCount();
            while (end > first && buffer.offset(end - 1) >= toOffset) {
                end--;
            }
            firstRows[b] = first;
            endRows[b] = end;
            rows = Math.addExact(rows, end - first);
            if (!buffer.isEmpty()) {
                if (buffer.firstOffset() <= previous && previous != Long.MIN_VALUE) {
                    throw new IllegalArgumentException(
                            "Buffers must ascend by offset, but one that begins at %d follows one that ends at %d"
                                    .formatted(buffer.firstOffset(), previous));
                }
                previous = buffer.lastOffset();
            }
        }
        long[] unsorted = new long[rows];
        int row = 0;
        for (int b = 0; b < this.buffers.length; b++) {
            for (int r = firstRows[b]; r < endRows[b]; r++) {
                unsorted[row++] = this.buffers[b].time(r);
            }
        }
        int[] sorted = sort(unsorted);
        this.times = new long[rows];
        int[] positionOf = new int[rows];
        for (int position = 0; position < rows; position++) {
            times[position] = unsorted[sorted[position]];
            positionOf[sorted[position]] = position;
        }
        this.positions = new int[this.buffers.length][];
        row = 0;
        for (int b = 0; b < this.buffers.length; b++) {
            int[] ofBuffer = new int[this.buffers[b].rowCount()];
            Arrays.fill(ofBuffer, -1);
            for (int r = firstRows[b]; r < endRows[b]; r++) {
                ofBuffer[r] = positionOf[row++];
            }
            positions[b] = ofBuffer;
        }
    }

    int rows() {
        return times.length;
    }

    int buffers() {
        return buffers.length;
    }

    RowBuffer buffer(int index) {
        return buffers[index];
    }

    /** By row of the buffer: the position, or -1 for a row left out. */
    int[] positions(int index) {
        return positions[index];
    }

    /** By position: the time; the caller must not write to it. */
    long[] times() {
        return times;
    }

    /** Row numbers in order of their times, equal times in order of their numbers. */
    private static int[] sort(long[] times) {
        int count = times.length;
        int[] order = new int[count];
        int[] runs = new int[16];
        int runCount = 0;
        for (int i = 0; i < count; i++) {
            order[i] = i;
            if (i == 0 || times[i] < times[i - 1]) {
                if (runCount == runs.length) {
                    runs = Arrays.copyOf(runs, 2 * runCount);
                }
                runs[runCount++] = i;
            }
        }
        int[] from = order;
        int[] to = runCount > 1 ? new int[count] : order;
        while (runCount > 1) {
            int merged = 0;
            for (int run = 0; run < runCount; run += 2) {
                int start = runs[run];
                int middle = run + 1 < runCount ? runs[run + 1] : count;
                int end = run + 2 < runCount ? runs[run + 2] : count;
                merge(times, from, start, middle, end, to);
                runs[merged++] = start;
            }
            runCount = merged;
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void merge(long[] times, int[] from, int start, int middle, int end, int[] to) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            if (left < middle && (right == end || times[from[left]] <= times[from[right]])) {
                to[i] = from[left++];
            } else {
                to[i] = from[right++];
            }
        }
    }
}
