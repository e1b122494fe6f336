package io.cordwood.hot;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that a clock was set back. Kafka's clients reckon pauses and time limits by the clock: one that is in such a
 * pause goes on only when the clock is where it was, so the caller is to make other clients. Thread-safe.
 */
public final class ClockWatch {
    /** Kafka's clients may wait by so much longer. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private final LongSupplier millisAtStart;
    private long latest;

    /**
     * Watches a clock from now on.
     *
     * @param millisAtStart what time it was at some moment, by the clock as it is now: the clock less the milliseconds
     *     that have passed since
     */
    public ClockWatch(LongSupplier millisAtStart) {
        this.millisAtStart = millisAtStart;
        this.latest = millisAtStart.getAsLong();
    }

    /** Watches the clock of this machine. */
    public static ClockWatch ofMachine() {
        return new ClockWatch(() -> System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** By how much the clock was set back since that was said last, or since it is watched; empty if it was not. */
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
