package io.cordwood.ingest.runtime;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * The time of an operator, from two clocks: the wall clock tells the time of day, ticks measure durations. Thread-safe.
 *
 * <p>The wall clock may be set forward or back at any time. It serves comparisons with times of other processes: append
 * times, reports, checkpoints. Every delay (a retry, a pause, the age of a buffer) uses ticks: they advance evenly,
 * start anew with each operator, and have no meaning outside it.
 */
public final class JobClock {
    /** Ticks of a time ahead of the wall clock: longer ago than any delay. */
    private static final long LONG_AGO = -TimeUnit.DAYS.toMillis(1_000_000);

    private final LongSupplier wallMillis;
    private final LongSupplier ticks;

    /**
     * Uses these clocks.
     *
     * @param wallMillis milliseconds since the epoch
     * @param ticks milliseconds since an arbitrary time; never goes back
     */
    public JobClock(LongSupplier wallMillis, LongSupplier ticks) {
        this.wallMillis = requireNonNull(wallMillis, "wallMillis is null");
        this.ticks = requireNonNull(ticks, "ticks is null");
    }

    /** Creates an operator's clock. */
    @FunctionalInterface
    public interface Factory extends Serializable {
        /** The clock of the operator with these timers. */
        JobClock of(ProcessingTimeService timers);
    }

    /** The clocks of the operator's machine. */
    public static JobClock ofMachine(ProcessingTimeService timers) {
        return ofMachine(timers::getCurrentProcessingTime);
    }

    /**
     * Ticks of the machine beside a wall clock.
     *
     * @param wallMillis milliseconds since the epoch
     */
    public static JobClock ofMachine(LongSupplier wallMillis) {
        long origin = System.nanoTime();
        return new JobClock(wallMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin));
    }

    /** The current time, milliseconds since the epoch. */
    public long wallMillis() {
        return wallMillis.getAsLong();
    }

    /** Milliseconds since an arbitrary time. */
    public long ticks() {
        return ticks.getAsLong();
    }

    /** The time at this tick as if the wall clock had always advanced evenly, milliseconds since the epoch. */
    public long wallMillisAt(long tick) {
        return wallMillis() - (ticks() - tick);
    }

    /**
     * The tick of a time that another process recorded. A time in the future counts as long ago, because its real age
     * is unknown.
     */
    public long ticksAt(long millis) {
        long ago = wallMillis() - millis;
        return ago < 0 ? LONG_AGO : ticks() - ago;
    }
}
