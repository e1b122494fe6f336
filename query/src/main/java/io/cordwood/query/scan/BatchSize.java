package io.cordwood.query.scan;

/**
 * How many rows to read at once, so that a batch of large values does not fill the memory: the first batch is one row,
 * each further one at most some times as large, and no more than fit at the size the last one had. Not thread-safe.
 */
public final class BatchSize {
    /** What the values of a batch may take, in bytes, if they are as large as those of the batch before. */
    static final int MAX_BYTES = 16 << 20;

    private static final int GROWTH = 4;

    private final int maxRows;
    private int rows;
    private double bytesPerRow;

    public BatchSize(int maxRows) {
        this.maxRows = maxRows;
    }

    /** Begins a batch: how many rows it has. */
    public int next(long remaining) {
        long fitting = bytesPerRow < 1 ? maxRows : (long) (MAX_BYTES / bytesPerRow);
        rows = Math.clamp(fitting, 1, Math.clamp((long) rows * GROWTH, 1, maxRows));
        bytesPerRow = 0;
        return (int) Math.min(rows, remaining);
    }

    /** Notes that the values of a column in the present batch were read. */
    public void add(long bytes, int valueCount) {
        bytesPerRow += (double) bytes / Math.max(1, valueCount);
    }
}
