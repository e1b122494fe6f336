package io.cordwood.ingest.runtime;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * The time of an operator, told by two clocks: one says what time it is, the other how much of it passes. Thread-safe.
 *
 * <p>The wall clock may be set ahead or back at any moment. It is for what is compared with the times of others:
 * append times, reports, checkpoints. Whatever waits, a retry, a pause or the age of a buffer, waits by ticks: these
 * go on evenly, begin anew with each operator, and mean nothing to anybody else.
 */
public final class JobClock {
    /** Ticks of a time that is ahead of the wall clock: longer ago than anything waits. */
    private static final long LONG_AGO = -TimeUnit.DAYS.toMillis(1_000_000);

    private final LongSupplier wallMillis;
    private final LongSupplier ticks;

    /**
     * Tells the time by these clocks.
     *
     * @param wallMillis milliseconds since the epoch
     * @param ticks milliseconds since any moment; never goes back
     */
    public JobClock(LongSupplier wallMillis, LongSupplier ticks) {
        this.wallMillis = requireNonNull(wallMillis, "wallMillis is null");
        this.ticks = requireNonNull(ticks, "ticks is null");
    }

    /** Gives an operator its clock. */
    @FunctionalInterface
    public interface Factory extends Serializable {
        /** The clock of the operator with these timers. */
        JobClock of(ProcessingTimeService timers);
    }

    /** The clocks of the machine that an operator has. */
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

    /** What time it is, milliseconds since the epoch. */
    public long wallMillis() {
        return wallMillis.getAsLong();
    }

    /** Milliseconds that have passed since some moment. */
    public long ticks() {
        return ticks.getAsLong();
    }

    /** What time it was at this tick if the wall clock had always gone as evenly, milliseconds since the epoch. */
    public long wallMillisAt(long tick) {
        return wallMillis() - (ticks() - tick);
    }

    /** The tick of a time that another process wrote down. How long ago one is that has not come yet, nobody knows. */
    public long ticksAt(long millis) {
        long ago = wallMillis() - millis;
        return ago < 0 ? LONG_AGO : ticks() - ago;
    }
}
