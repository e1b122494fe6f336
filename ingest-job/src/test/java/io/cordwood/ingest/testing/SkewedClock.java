package io.cordwood.ingest.testing;

import io.cordwood.ingest.runtime.JobClock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Clocks of operators in a harness: ticks, like timers, go by the harness's time, as they do in a machine whose clock
 * is set; the wall clock is ahead of it, or behind, by what the test says. Thread-safe.
 */
public final class SkewedClock implements JobClock.Factory {
    private static final long serialVersionUID = 1;
    /** Factories are serialised on their way to the harness. */
    private static final Map<String, Long> AHEAD_MILLIS = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();

    /** Sets the wall clock this far ahead of the harness's time; back if negative. */
    public void set(Duration ahead) {
        AHEAD_MILLIS.put(id, ahead.toMillis());
    }

    @Override
    public JobClock of(ProcessingTimeService timers) {
        return new JobClock(
                () -> timers.getCurrentProcessingTime() + AHEAD_MILLIS.getOrDefault(id, 0L),
                timers::getCurrentProcessingTime);
    }
}
