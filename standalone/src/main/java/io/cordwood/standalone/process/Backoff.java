package io.cordwood.standalone.process;

import java.time.Duration;

/**
 * The delay before a process that ended is started again. It doubles each time up to a limit, and starts over once a
 * process has run long enough to count as stable. Not thread-safe.
 */
final class Backoff {
    private final Duration first;
    private final Duration limit;
    private final Duration stable;
    private Duration next;

    Backoff(Duration first, Duration limit, Duration stable) {
        this.first = first;
        this.limit = limit;
        this.stable = stable;
        next = first;
    }

    /** The delay before the next start, given how long the process that just ended had run. */
    Duration after(Duration ran) {
        if (ran.compareTo(stable) >= 0) {
            next = first;
        }
        Duration delay = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(limit) < 0 ? doubled : limit;
        return delay;
    }
}
