package io.cordwood.ingest.source;

import io.cordwood.hot.ClockWatch;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.JobClock;

/** Fails a job whose clock was set back, so that it restarts with new Kafka clients. Thread-safe. */
final class ClockGuard {
    private final ClockWatch watch;

    /** Watches a clock, starting now. */
    ClockGuard(JobClock clock) {
        this.watch = new ClockWatch(() -> clock.wallMillisAt(0));
    }

    /**
     * Checks that the clock was not set back.
     *
     * @throws IngestException if it was set back
     */
    void requireNotSetBack() {
        watch.setBack().ifPresent(back -> {
            throw new IngestException(
                    "The clock was set back by %s; restarting with new connections, because those to Kafka may wait that long"
                            .formatted(back));
        });
    }
}
