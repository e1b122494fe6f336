package io.cordwood.trino.page;

import com.google.common.base.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long a scan keeps one of the engine's threads at a stretch. The engine has two threads to a core and would let a
 * scan have one for a second, however many short queries wait; a scan that is blocked for a moment goes to the end of
 * the engine's queue, where queries that have had less come first. Not thread-safe.
 */
final class TimeSlice {
    static final long LENGTH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Just so long that the engine sees the scan blocked. */
    private static final long PAUSE_MICROS = 100;

    private static final CompletableFuture<?> RUNNING = CompletableFuture.completedFuture(null);

    private final Ticker ticker;
    /** Before the first slice it is over, too. */
    private CompletableFuture<?> pause = CompletableFuture.completedFuture(null);

    private long start;

    TimeSlice(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Is done while the scan may go on. The first slice begins with the first call, the next ones after a pause. */
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
