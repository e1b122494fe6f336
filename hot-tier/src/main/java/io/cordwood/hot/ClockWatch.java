package io.cordwood.hot;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Detects that a clock was set back. Kafka's clients measure pauses and timeouts by the clock. A client in such a pause
 * continues only when the clock is back where it was, so the caller must create new clients. Thread-safe.
 */
public final class ClockWatch {
    /** Kafka's clients may wait longer by this much. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private final LongSupplier millisAtStart;
    private long latest;

    /**
     * Watches a clock, starting now.
     *
     * @param millisAtStart the time at a fixed point in the past, according to the clock now: the clock minus the
     *     milliseconds that have passed since that point
     */
    public ClockWatch(LongSupplier millisAtStart) {
        this.millisAtStart = millisAtStart;
        this.latest = millisAtStart.getAsLong();
    }

    /** Watches the clock of this machine. */
    public static ClockWatch ofMachine() {
        return new ClockWatch(() -> System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** How far the clock was set back since the last report, or since the watch began; empty if it was not. */
    public synchronized Optional<Duration> setBack() {
        long now = millisAtStart.getAsLong();
        long back = latest - now;
        if (back <= TOLERANCE.toMillis()) {
            latest = Math.max(latest, now);
            return Optional.empty();
        }
        latest = now;
        return Optional.of(Duration.ofMillis(back));
    }
}
