package io.cordwood.ingest.source;

import io.cordwood.hot.ClockWatch;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.JobClock;

/** Ends a job whose clock was set back, so that it starts again with other clients of Kafka. Thread-safe. */
final class ClockGuard {
    private final ClockWatch watch;

    /** Compares with the clock as it is now. */
    ClockGuard(JobClock clock) {
        this.watch = new ClockWatch(() -> clock.wallMillisAt(0));
    }

    /**
     * Compares the clock with where it should be.
     *
     * @throws IngestException if it was set back
     */
    void requireNotSetBack() {
        watch.setBack().ifPresent(back -> {
            throw new IngestException(
                    "The clock was set back by %s; restarting with new connections, as those to Kafka may wait for as long"
                            .formatted(back));
        });
    }
}
