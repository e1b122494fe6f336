package io.cordwood.standalone.process;

import io.cordwood.catalog.commit.BackOff;
import java.time.Duration;

/**
 * The delay before a process that ended is started again. It doubles each time up to a limit, and starts over once a
 * process has run long enough to count as stable. Not thread-safe.
 */
final class RestartDelay {
    private final Duration first;
    private final Duration limit;
    private final Duration stable;
    private int restarts;

    RestartDelay(Duration first, Duration limit, Duration stable) {
        this.first = first;
        this.limit = limit;
        this.stable = stable;
    }

    /** The delay before the next start, given how long the process that just ended had run. */
    Duration after(Duration ran) {
        if (ran.compareTo(stable) >= 0) {
            restarts = 0;
        }
        return Duration.ofMillis(BackOff.delayMillis(restarts++, first.toMillis(), limit.toMillis()));
    }
}
