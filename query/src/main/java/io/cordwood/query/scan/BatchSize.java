package io.cordwood.query.scan;

/**
 * The number of rows to read at once. It keeps a batch of large values from filling the memory: the first batch is one
 * row, and each further batch grows by a limited factor and by no more rows than fit at the last batch's row size. Not
 * thread-safe.
 */
public final class BatchSize {
    /** The maximum size of a batch's values in bytes, if they are as large as those of the batch before. */
    static final int MAX_BYTES = 16 << 20;

    private static final int GROWTH = 4;

    private final int maxRows;
    private int rows;
    private double bytesPerRow;

    public BatchSize(int maxRows) {
        this.maxRows = maxRows;
    }

    /** Begins a batch and returns its number of rows. */
    public int next(long remaining) {
        long fitting = bytesPerRow < 1 ? maxRows : (long) (MAX_BYTES / bytesPerRow);
        rows = Math.clamp(fitting, 1, Math.clamp((long) rows * GROWTH, 1, maxRows));
        bytesPerRow = 0;
        return (int) Math.min(rows, remaining);
    }

    /** Records that a column's values of the current batch were read. */
    public void add(long bytes, int valueCount) {
        bytesPerRow += (double) bytes / Math.max(1, valueCount);
    }
}
