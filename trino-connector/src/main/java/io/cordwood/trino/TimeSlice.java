package io.cordwood.trino;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long a scan keeps one of the engine's threads at a stretch. The engine has two threads to a core and would let a
 * scan have one for a second, however many short queries wait; a scan that is blocked for a moment goes to the end of the
 * engine's queue, where queries that have had less come first. Not thread-safe.
 */
final class TimeSlice {
    private static final long LENGTH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Just so long that the engine sees the scan blocked. */
    private static final long PAUSE_MICROS = 100;

    private static final CompletableFuture<?> RUNNING = CompletableFuture.completedFuture(null);

    private CompletableFuture<?> pause = RUNNING;
    private long start = System.nanoTime();

    /** Is done while the scan may go on; once a slice is over, the next begins soon after. */
    CompletableFuture<?> pause() {
        if (!pause.isDone()) {
            return pause;
        }
        long now = System.nanoTime();
        if (pause != RUNNING) {
            pause = RUNNING;
            start = now;
        } else if (now - start > LENGTH_NANOS) {
            pause = new CompletableFuture<>().completeOnTimeout(null, PAUSE_MICROS, TimeUnit.MICROSECONDS);
        }
        return pause;
    }
}
