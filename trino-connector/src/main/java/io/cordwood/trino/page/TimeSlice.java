package io.cordwood.trino.page;

import com.google.common.base.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A limit on the time that a scan keeps one of the engine's threads. The engine has two threads per core and lets a
 * scan keep one for a second, however many short queries wait. A briefly blocked scan goes to the end of the engine's
 * queue, where queries that have used less time come first. Not thread-safe.
 */
final class TimeSlice {
    static final long LENGTH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Just long enough for the engine to see the scan as blocked. */
    private static final long PAUSE_MICROS = 100;

    private static final CompletableFuture<?> RUNNING = CompletableFuture.completedFuture(null);

    private final Ticker ticker;
    /** The current pause; completed before the first slice. */
    private CompletableFuture<?> pause = CompletableFuture.completedFuture(null);

    private long start;

    TimeSlice(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * A future that is done while the scan may continue. The first slice begins with the first call, each further one
     * after a pause.
     */
    CompletableFuture<?> pause() {
        if (!pause.isDone()) {
            return pause;
        }
        long now = ticker.read();
        if (pause != RUNNING) {
            pause = RUNNING;
            start = now;
        } else if (now - start > LENGTH_NANOS) {
            pause = new CompletableFuture<>().completeOnTimeout(null, PAUSE_MICROS, TimeUnit.MICROSECONDS);
        }
        return pause;
    }
}
