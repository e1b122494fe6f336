package io.cordwood.query.scan;

import java.io.IOException;

/** Counts of a LogBlock's selected rows by time bin, in time order. Not thread-safe. */
public final class TimeBinCounts {
    private final TimeBinRuns runs;
    private final SelectedRows rows;

    private int next;
    private long millis;
    private int count;

    TimeBinCounts(TimeBinRuns runs, SelectedRows rows) {
        this.runs = runs;
        this.rows = rows;
        this.next = rows.nextRow(0);
    }

    /** Moves to the next bin, which may span several runs; false if there is none. */
    public boolean advance() throws IOException {
        count = 0;
        while (next >= 0) {
            runs.seek(next);
            if (count > 0 && runs.millis() != millis) {
                return true;
            }
            millis = runs.millis();
            count += rows.count(next, runs.end());
            next = rows.nextRow(runs.end());
        }
        return count > 0;
    }

    /** Value of the bin, in milliseconds since the epoch. */
    public long millis() {
        return millis;
    }

    /** Number of rows in the bin; 0 after the last bin. */
    public int count() {
        return count;
    }
}
