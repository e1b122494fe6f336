package io.cordwood.standalone.demo;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Spreads steps evenly over a duration, which begins with the first step. Slow steps extend it. Not thread-safe. */
final class Pace {
    /** Shorter waits are not worth their cost. */
    private static final long LEAST_NANOS = 1_000_000;

    private final double nanosPerStep;
    private long begun;
    private long steps;

    Pace(long steps, Duration time) {
        nanosPerStep = (double) time.toNanos() / steps;
    }

    /** Waits until the next step is due. */
    void await() {
        if (steps == 0) {
            begun = System.nanoTime();
        }
        long early = begun + (long) (steps * nanosPerStep) - System.nanoTime();
        if (early > LEAST_NANOS) {
            LockSupport.parkNanos(early);
        }
        steps++;
    }
}
