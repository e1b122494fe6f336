package io.cordwood.benchmarks.run;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An even rate for some time, from the first call on. For one thread; another may read {@link #rows}. */
public final class Pace {
    private static final int MAX_BURST = 100;
    private static final int BURSTS_PER_SECOND = 100;

    private final int burst;
    private final double nanosPerRow;
    private final long nanos;
    private long startNanos;
    private volatile long rows;

    /** @param rate rows per second */
    public Pace(int rate, Duration time) {
        this.burst = Math.clamp(rate / BURSTS_PER_SECOND, 1, MAX_BURST);
        this.nanosPerRow = 1e9 / rate;
        this.nanos = time.toNanos();
    }

    /** Waits until the next row is due; returns whether there is one. */
    public boolean next() {
        if (rows == 0) {
            startNanos = System.nanoTime();
        }
        long before = rows;
        rows = before + 1;
        if (before % burst == 0) {
            long due = startNanos + (long) (rows * nanosPerRow);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
        }
        return System.nanoTime() - startNanos < nanos;
    }

    /** Number of rows that were due so far. */
    public long rows() {
        return rows;
    }
}
