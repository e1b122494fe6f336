package io.cordwood.ingest.source;

import io.cordwood.ingest.IngestException;
import io.cordwood.ingest.JobClock;
import java.time.Duration;

/**
 * Notices that the clock was set back. Kafka's clients reckon pauses and time limits by it: once a connection breaks,
 * those of before would not connect again until the clock is where it was. Not thread-safe.
 */
final class ClockGuard {
    /** Kafka's clients may wait by so much longer. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private final JobClock clock;
    private long wallMillisAtZero;

    /** Compares with the clock as it is now. */
    ClockGuard(JobClock clock) {
        this.clock = clock;
        this.wallMillisAtZero = clock.wallMillisAt(0);
    }

    /**
     * Compares the clock with where it should be.
     *
     * @throws IngestException if it was set back
     */
    void requireNotSetBack() {
        long now = clock.wallMillisAt(0);
        long back = wallMillisAtZero - now;
        if (back > TOLERANCE.toMillis()) {
            throw new IngestException(
                    "The clock was set back by %s; restarting with new connections, as those to Kafka would wait for as long once they break"
                            .formatted(Duration.ofMillis(back)));
        }
        wallMillisAtZero = Math.max(wallMillisAtZero, now);
    }
}
